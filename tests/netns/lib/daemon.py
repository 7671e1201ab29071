"""A running steerd: its log, what it tells the service manager, and waiting for what it does."""
import os
import select
import signal
import socket
import subprocess
import tempfile
import time

LIMIT = 20  # seconds that anything may take on a loaded machine


class Daemon:
    """Runs until stop(), kill() or the end of the test. Ready when the constructor returns, unless ready=False."""

    def __init__(self, steerd, policy, *words, before=(), environment=None, ready=True):
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.manager.bind(tempfile.mktemp(dir="/run"))
        self.lines, self.told, self.rest, self.ended = [], [], b"", False
        self.process = subprocess.Popen(
            [*before, steerd, "--policy", policy, "--log-level", "debug", *words], stderr=subprocess.PIPE,
            start_new_session=True,
            env=dict(os.environ, NOTIFY_SOCKET=self.manager.getsockname(), **(environment or {})))
        os.set_blocking(self.process.stderr.fileno(), False)
        if ready:
            self.wait(lambda: "READY=1" in self.told, "it never was ready")

    def read(self, seconds):
        """Takes what the daemon has to say. False: nothing in that time, or it has ended."""
        log = self.process.stderr.fileno()
        ready, _, _ = select.select([log, self.manager], [], [], max(seconds, 0))
        if self.manager in ready:
            self.told += self.manager.recv(4096).decode().split("\n")
        if log in ready:
            data = os.read(log, 1 << 16)
            *lines, self.rest = (self.rest + data).split(b"\n")
            self.lines += [line.decode() for line in lines]
            self.ended = not data
        return bool(ready) and not self.ended

    def wait(self, condition, what, limit=LIMIT):
        """Until the condition holds; it is looked at whenever the daemon has said something."""
        end = time.monotonic() + limit
        while not condition():
            self.read(min(end - time.monotonic(), 0.2))
            if self.ended:
                raise AssertionError(f"{what}; it ended: {self.process.wait()}\n" + self.log())
            if time.monotonic() > end:
                raise AssertionError(f"{what}\n" + self.log())

    def wait_for(self, text, limit=LIMIT):
        """Until a line of the log that was not waited for before has the text; gives that line."""
        self.wait(lambda: any(text in line for line in self.lines), f"it never said {text!r}", limit)
        while text not in self.lines[0]:
            self.lines.pop(0)
        return self.lines.pop(0)

    def quiet(self, seconds=0.5):
        """Until it has said nothing for so long: no event is on the way, and no pass is due."""
        end = time.monotonic() + LIMIT
        while self.read(seconds):
            assert time.monotonic() < end, "it is never quiet\n" + self.log()
        heard, self.lines = self.lines, []
        return heard

    def log(self):
        return "\n".join(self.lines)

    def signal(self, number):
        self.process.send_signal(number)

    def end(self):
        """Waits for its end, and gives its exit status."""
        limit = time.monotonic() + LIMIT
        while not self.ended:
            self.read(0.2)
            assert time.monotonic() < limit, "it does not end\n" + self.log()
        self.process.stderr.close()
        self.manager.close()
        return self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
        return self.end()

    def clean(self):
        """For addCleanup: whatever state it is in, and whoever traces it."""
        if self.process.returncode is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.end()

    def memory(self):
        """Kilobytes that are its own."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))

    def processor_time(self):
        """Seconds that it has run so far."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_sanitized(self):
        with open(f"/proc/{self.process.pid}/maps") as maps:
            return "libasan" in maps.read()
