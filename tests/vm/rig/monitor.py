"""Answers what the guest asks over its second serial port: QEMU monitor commands, and a few of the rig's own.

One JSON object a line each way, in the form of QMP: {"execute": "device_add", "arguments": {...}}. The rig's own are
    rig-event    wait for a monitor event: {"event": "DEVICE_DELETED", "device": "nic0", "limit": 60}
    rig-outside  run a shell command in QEMU's network namespace, where the taps are: {"command": "..."}
    rig-begin    the guest's script begins
and those that whoever runs the machine brings along.
"""
import json
import queue
import subprocess
import threading
import time

from . import netns

# A monitor command that takes longer than this has lost its answer.
ANSWER_LIMIT = 30


class Monitor:
    """A QMP connection: commands with their answers, and the events that came in between."""

    def __init__(self, connection):
        # Two files: one that is read and written forgets what it has read ahead at each write.
        self.reader, self.writer = connection.makefile('r'), connection.makefile('w')
        self.answers = queue.Queue()
        self.events = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        """Sort what arrives. QEMU greets first, and obeys only after qmp_capabilities."""
        for line in self.reader:
            message = json.loads(line)
            if 'QMP' in message:
                self._send({'execute': 'qmp_capabilities'})
                self.reader.readline()
            elif 'event' in message:
                self.events.put(message)
            else:
                self.answers.put(message)

    def _send(self, request):
        self.writer.write(json.dumps(request) + '\n')
        self.writer.flush()

    def command(self, request):
        self._send(request)
        return self.answers.get(timeout=ANSWER_LIMIT)

    def event(self, name, device, limit):
        """The data of the next such event, or None. A removal is announced twice, once without its device."""
        end = time.monotonic() + limit
        while (left := end - time.monotonic()) > 0:
            try:
                event = self.events.get(timeout=left)
            except queue.Empty:
                return None
            data = event.get('data', {})
            if event['event'] == name and device in (None, data.get('device')):
                return data
        return None


class Channel:
    """The guest's side of the conversation."""

    def __init__(self, connection, monitor, qemu_pid, more=None):
        """more: further requests, {name: function(channel, arguments) -> answer}."""
        self.file = connection.makefile('rwb', buffering=0)
        self.monitor = monitor
        self.qemu_pid = qemu_pid
        self.begun = None
        self.more = more or {}
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        for line in self.file:
            # The line discipline of a port that is being opened can leave noise before a request.
            text = line.decode(errors='replace').strip()
            if text.startswith('{'):
                self.file.write((json.dumps(self._answer(text)) + '\n').encode())

    def _answer(self, text):
        try:
            request = json.loads(text)
            own = {'rig-event': self._event, 'rig-outside': self._outside, 'rig-begin': self._begin}
            if request['execute'] in own:
                return own[request['execute']](request.get('arguments', {}))
            if request['execute'] in self.more:
                return {'return': self.more[request['execute']](self, request.get('arguments', {}))}
            return self.monitor.command(request)
        except (ValueError, KeyError, queue.Empty, OSError) as error:
            return {'error': {'class': 'Rig', 'desc': repr(error)}}

    def _begin(self, _):
        self.begun = time.monotonic()
        return {'return': {}}

    def _event(self, arguments):
        data = self.monitor.event(arguments['event'], arguments.get('device'), arguments.get('limit', 60))
        return {'error': {'class': 'Rig', 'desc': 'no such event'}} if data is None else {'return': data}

    def _outside(self, arguments):
        done = subprocess.run(netns.joined(self.qemu_pid, arguments['command']), text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            return {'error': {'class': 'Rig', 'desc': f'status {done.returncode}: {done.stdout}'}}
        return {'return': done.stdout}
