"""Runs one machine from power-on to its end and says how it ended; decides nothing about what runs in it."""
import re
import resource
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from . import netns, paths, qemu
from .monitor import Channel, Monitor

# Exit statuses that are not the guest script's.
TIME_IS_UP = 124
NO_STATUS = 125

# An emulated kernel on a busy host now and then loses an interrupt between two CPUs and hangs while it boots, and QEMU itself
# ends there by a failed assertion of its own (iotlb_to_section). No program of ours has run by then: the machine is switched
# off and on again, once. A boot of 40 CPUs takes at most 50 s.
BOOT_LIMIT = 90

# And QEMU now and then forgets a virtio queue that the guest has filled: the guest's kernel says for how long nothing was
# taken from it, and waits for ever. 6.1 says it once and without a time.
FORGOTTEN = re.compile(rb'virtio_net.*transmit queue \d+ timed out(?:$|\s+([2-9]|\d\d+)\d{4} ms)')

# And it now and then loses the interrupts of the serial line: the kernel's own words come through, no other. A case says
# something long before this many seconds are over, and one that fails says why.
SILENCE_LIMIT = 150

# The limit of an interactive session, in seconds.
NEVER = 7 * 86400


@dataclass(frozen=True)
class Outcome:
    status: int
    seconds: float
    boot_seconds: float | None
    cpu_seconds: float

    def __str__(self):
        words = {TIME_IS_UP: 'the time limit is over', NO_STATUS: 'the guest ended without a status'}
        boot = 'no script began' if self.boot_seconds is None else f'script began after {self.boot_seconds:.1f} s'
        return (f'{words.get(self.status, f"exit {self.status}")}; {self.seconds:.1f} s, {boot}, '
                f'{self.cpu_seconds:.1f} s of CPU')


def socket_pair(path):
    """A listening socket for QEMU to inherit and a client that is connected to it already, so nobody has to poll."""
    server, client = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    server.bind(str(path))
    server.listen(1)
    client.connect(str(path))
    return server, client


def write_initrd(path, kernel, overlay):
    with open(path, 'wb') as out:
        with open(paths.initramfs(kernel), 'rb') as base:
            shutil.copyfileobj(base, out, 1 << 20)
        overlay.write(out)


@contextmanager
def running(command, servers, interactive):
    """QEMU as a child that does not outlive the block. Our copies of its sockets close, so that its end is seen."""
    stdin, stdout = (None, None) if interactive else (subprocess.DEVNULL, subprocess.PIPE)
    child = subprocess.Popen(netns.inside(command), stdin=stdin, stdout=stdout,
                             pass_fds=[s.fileno() for s in servers])
    try:
        for server in servers:
            server.close()
        yield child
    finally:
        if child.poll() is None:
            child.kill()
        child.wait()


class Deadline:
    """Kills a child when its time is up, unless it is excused by then."""

    def __init__(self, child, limit, excused=lambda: False):
        self.over = False
        self.child = child
        self.excused = excused
        self.timer = threading.Timer(limit, self._end)
        self.timer.daemon = True
        self.timer.start()

    def _end(self):
        if self.excused():
            return
        self.over = True
        self.child.kill()


def run(machine, kernel, overlay, *, limit=None, out=None, boot_limit=BOOT_LIMIT, requests=None):
    """Boot the machine and return its Outcome. Output goes to `out` line by line; without `out` to the terminal.

    requests: what the guest may ask besides the rig's own, as monitor.Channel has it."""
    outcome, failure = power_on(machine, kernel, overlay, limit, out, boot_limit, requests)
    if failure and out:
        print(f'vm: {failure} ({outcome.seconds:.0f} s): the machine is booted once more', file=out, flush=True)
        outcome, _ = power_on(machine, kernel, overlay, limit, out, limit or machine.limit, requests)
    return outcome


def power_on(machine, kernel, overlay, limit, out, boot_limit, requests):
    """One life of the machine: its Outcome, and what failed that is the emulator's or None."""
    forgotten, said = False, []
    cpu_before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix='vm.') as scratch:
        scratch = Path(scratch)
        write_initrd(scratch / 'initrd', kernel, overlay)
        monitor_server, monitor = socket_pair(scratch / 'monitor')
        channel_server, channel = socket_pair(scratch / 'channel')
        command = qemu.arguments(machine, kernel, scratch / 'initrd', monitor_server, channel_server)
        with running(command, (monitor_server, channel_server), interactive=out is None) as child:
            guest = Channel(channel, Monitor(monitor), child.pid, requests)
            deadline = Deadline(child, limit or machine.limit)
            boot = Deadline(child, boot_limit, excused=lambda: guest.begun or out is None)
            silence = Deadline(child, SILENCE_LIMIT, excused=lambda: said or out is None)
            for line in child.stdout or ():
                if not line.startswith(b'['):
                    said.append(True)
                print(line.decode(errors='replace').rstrip('\r\n'), file=out, flush=True)
                if FORGOTTEN.search(line.rstrip()):
                    forgotten = True
                    child.kill()
            status = child.wait()
            deadline.timer.cancel()
            boot.timer.cancel()
            silence.timer.cancel()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime - cpu_before.ru_utime - cpu_before.ru_stime
    status = TIME_IS_UP if deadline.over or boot.over or silence.over else qemu.exit_status(status)
    failure = ('QEMU has forgotten a virtio queue' if forgotten
               else 'no script began' if boot.over or (status is None and not guest.begun)
               else 'the guest said nothing' if silence.over or (status == 1 and not said) else None)
    return Outcome(NO_STATUS if status is None else status, time.monotonic() - started,
                   guest.begun and guest.begun - started, cpu), failure
