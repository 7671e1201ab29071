"""Runs steerctl and steerd, and watches by strace(1) what they hand to the kernel."""
import json
import os
import re
import subprocess
import tempfile

# The leak checker of a sanitized build is a tracer itself, and there can be only one.
TRACED = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}

# Messages of the ethtool family that set something (linux/ethtool_netlink.h); rtnetlink's RTM_NEWLINK sets a link up.
ETHTOOL_SETS = {3, 5, 8, 10, 12, 14, 16, 18, 20, 22}


class Tool:
    def __init__(self, steerctl, steerd):
        self.steerctl, self.steerd = steerctl, steerd

    def policy(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".ini", dir="/run", delete=False) as file:
            file.write(text)
        return file.name

    def run(self, *words, program=None):
        return subprocess.run([program or self.steerctl, *words], capture_output=True, text=True)

    def apply(self, text, *words):
        return self.run("apply", "--policy", self.policy(text), *words)

    def changes(self, text, *words):
        """Applies, and gives the changes of the report by (device, setting, queue)."""
        done = self.apply(text, "--json", *words)
        report = json.loads(done.stdout)
        return done, {(c["device"], c["setting"], c["queue"]): c for c in report["changes"]}

    def writes(self, *words, program=None):
        """What a run hands to the kernel: files of /sys and /proc opened for writing, netlink messages that set."""
        return [line for line in self.calls("open,openat,openat2,sendto,sendmsg", program or self.steerctl, *words) if is_write(line)]

    def opened(self, *words):
        """What a run of steerctl opens."""
        return self.calls("open,openat,openat2", self.steerctl, *words)

    def calls(self, names, *words):
        log = tempfile.mktemp(dir="/run")
        subprocess.run(["strace", "-f", "-xx", "-s", "64", "-o", log, "-e", f"trace={names}", *words], capture_output=True, check=True,
                       env=TRACED)
        with open(log) as lines:
            found = [readable(line) for line in lines]
        os.unlink(log)
        return found

    def stopped_at(self, call, *words):
        """Starts steerctl and lets it run up to the first `call`, where it stands until the result's go()."""
        return Stopped([self.steerctl, *words], call)


def calls_while_quiet(pid, seconds):
    """What a process calls in so many seconds, as the lines of strace(1).

    The queues of a namespace that dies are announced in all others: an interval with such an announcement is not a quiet one."""
    for _ in range(10):
        trace = subprocess.run(["timeout", str(seconds), "strace", "-f", "-qq", "-p", str(pid)], capture_output=True, text=True).stderr
        if "remove@/queues/" not in trace:
            break
    return [line.removeprefix("strace: ") for line in trace.splitlines() if "(" in line]


def readable(line):
    """strace -xx prints every string as hexadecimal; paths are wanted as text."""
    return re.sub(r'"((?:\\x[0-9a-f]{2})+)"', lambda m: '"' + text(m[1]) + '"', line.rstrip())


def text(escaped):
    data = bytes.fromhex(escaped.replace("\\x", ""))
    return data.decode() if all(32 <= b < 127 for b in data) else escaped


def is_write(line):
    if re.search(r"\bopen(at2?)?\(", line):
        path = re.search(r'"([^"]*)"', line)
        return bool(re.search(r"O_WRONLY|O_RDWR", line) and path and re.match(r"/?(sys|proc)/", path[1]))
    return sets(line)


def sets(line):
    """A netlink message that asks for a change: rtnetlink by its type, ethtool by the command, the payload's first byte."""
    message = re.search(r'nlmsg_type=(\w+)[^}]*\}, (?:"\\x([0-9a-f]{2}))?', line)
    if not message:
        return False
    if message[1] == "ethtool":
        return int(message[2], 16) in ETHTOOL_SETS
    return message[1] in ("RTM_NEWLINK", "RTM_SETLINK")


class Stopped:
    def __init__(self, words, call):
        self.log = os.pipe()
        self.process = subprocess.Popen(
            ["strace", "-f", "-o", f"/dev/fd/{self.log[1]}", "-e", f"trace={call}", "-e",
             f"inject={call}:signal=SIGSTOP:when=1", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=[self.log[1]],
            env=TRACED)
        os.close(self.log[1])
        self.lines = os.fdopen(self.log[0])
        for line in self.lines:
            if "stopped by SIGSTOP" in line:
                self.pid = int(line.split()[0])
                return
        raise AssertionError(f"{call} was never called: {self.process.communicate()}")

    def go(self):
        os.kill(self.pid, 18)
        out, error = self.process.communicate(timeout=60)
        self.lines.close()
        return subprocess.CompletedProcess([], self.process.returncode, out, error)
