"""A booted machine that does what it is told, one shell command at a time; knows nothing of networks."""
import base64
import queue
import sys
import tempfile
import threading
from pathlib import Path

from .far import Failed

sys.path.insert(0, str(Path(__file__).parents[2] / 'vm'))
from rig import machine as machines  # noqa: E402
from rig import paths, session, userland  # noqa: E402

# The guest asks for its next command and sends back what came of it; a command is a line of base64, as is its output.
OBEY = r'''#!/bin/sh
. lib.sh
trap - EXIT
set +e
while answer=$(qmp lab-next); do
    command=${answer#'{"return": "'}
    command=${command%'"}'}
    [ -n "$command" ] || exit 0
    echo "$command" | base64 -d >/tmp/command
    (. /tmp/command) >/tmp/output 2>&1
    status=$?
    qmp lab-done "{\"status\": $status, \"output\": \"$(base64 -w0 /tmp/output)\"}" >/dev/null
done
'''
LIMIT = 90  # seconds that one command may take


class Guest:
    """with Guest('router.vm') as guest: guest.run('...'). pid is QEMU's, whose network namespace has the taps."""

    def __init__(self, description, kernel, limit=1800):
        self.commands, self.answers = queue.Queue(), queue.Queue()
        self.pid = None
        self.log = tempfile.TemporaryFile('w+')
        self.outcome = None
        machine = machines.load(description)
        overlay = userland.overlay(machine, kernel, OBEY)
        self.thread = threading.Thread(target=self._live, args=(machine, kernel, overlay, limit), daemon=True)

    def _live(self, machine, kernel, overlay, limit):
        requests = {'lab-next': self._next, 'lab-done': self._done}
        self.outcome = session.run(machine, kernel, overlay, limit=limit, out=self.log, requests=requests)
        self.answers.put(None)

    def _next(self, channel, _):
        self.pid = channel.qemu_pid
        return base64.b64encode(self.commands.get().encode()).decode()

    def _done(self, _, arguments):
        self.answers.put((arguments['status'], base64.b64decode(arguments['output']).decode(errors='replace')))
        return {}

    def __enter__(self):
        self.thread.start()
        self.run('true')
        return self

    def __exit__(self, *_):
        self.commands.put('')
        self.thread.join(20)
        self.log.close()

    def console(self):
        self.log.seek(0)
        return self.log.read()

    def attempt(self, command):
        """(exit status, output)"""
        self.commands.put(command)
        try:
            answer = self.answers.get(timeout=LIMIT)
        except queue.Empty:
            answer = None
        if answer is None:
            raise Failed(f'the guest is gone, or hangs, at: {command}\n{self.console()}')
        return answer

    def run(self, command):
        status, output = self.attempt(command)
        if status:
            raise Failed(f'status {status} of: {command}\n{output}')
        return output
