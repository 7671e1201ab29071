"""Speaks to the control socket: byte by byte where a test wants to misbehave, and by a client that this project did not write."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

SOCKET = "/run/steerd/io.steerd"
SOURCE = pathlib.Path(__file__).parents[1] / "varlink/client.go"
LIBRARY = "/usr/share/gocode/src/github.com/varlink/go/varlink"


def message(method, parameters=None, **flags):
    return json.dumps({"method": method, "parameters": parameters or {}, **flags}).encode() + b"\0"


class Refused(Exception):
    """The service answered with an error: its name, and its parameters."""


class Raw:
    """A connection. Nothing that is said on it is checked."""

    def __init__(self, path=SOCKET, limit=20):
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            self.socket.connect(path)
        except OSError:
            self.socket.close()
            raise
        self.socket.settimeout(limit)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def next(self):
        """The next message, or None at the end."""
        while b"\0" not in self.rest:
            data = self.socket.recv(1 << 16)
            if not data:
                return None
            self.rest += data
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, parameters=None, **flags):
        self.send(message(method, parameters, **flags))
        reply = self.next()
        if reply is None:
            raise ConnectionError("the end")
        if "error" in reply:
            raise Refused(reply["error"], reply["parameters"])
        return reply["parameters"]

    def is_over(self):
        """Waits for the end of the connection."""
        try:
            while self.socket.recv(1 << 16):
                pass
        except ConnectionError:
            pass
        return True


def call(method, parameters=None, **flags):
    with Raw() as connection:
        return connection.call(method, parameters, **flags)


def status():
    return call("io.steerd.Status")


class Foreign:
    """The client made of Debian's Go library; see varlink/client.go."""

    def __init__(self, directory):
        self.program = f"{directory}/client"
        subprocess.run(["go", "build", "-o", self.program, str(SOURCE)], check=True, cwd=SOURCE.parent,
                       env=dict(os.environ, GO111MODULE="off", GOPATH="/usr/share/gocode", GOFLAGS="", GOCACHE=f"{directory}/cache",
                                HOME=directory))

    @staticmethod
    def is_possible():
        return bool(shutil.which("go")) and os.path.isdir(LIBRARY)

    def run(self, *words):
        """Gives the replies, and whether the last one was no error."""
        done = subprocess.run([self.program, "unix:" + SOCKET, *words], capture_output=True, text=True, timeout=60)
        return [json.loads(line) for line in done.stdout.splitlines()], done.returncode == 0

    def call(self, method, parameters="{}", flags="0"):
        replies, good = self.run("call", method, parameters, flags)
        assert good or flags == "oneway", replies
        return replies[0] if replies else None

    def refused(self, method, parameters="{}"):
        replies, good = self.run("call", method, parameters, "0")
        assert not good, replies
        return replies[0]["error"], replies[0]["parameters"]


def seconds(what):
    start = time.monotonic()
    what()
    return time.monotonic() - start
