"""Speaks to the control socket: byte by byte where a test wants to misbehave, and by a client that this project did not write."""
import json
import os
import pathlib
import re
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


class Definition:
    """The definition of an interface, to hold replies against: nothing undeclared, nothing of another type, nothing missing."""

    PLAIN = {"string": str, "int": int, "bool": bool, "object": dict}

    def __init__(self, text):
        self.words = re.findall(r"->|\[\]|[\w.]+|[?:,()]", re.sub(r"#.*", "", text))
        self.types, self.methods, self.errors = {}, {}, {}
        self.expect("interface")
        self.name = self.words.pop(0)
        while self.words:
            kind, name = self.words.pop(0), self.words.pop(0)
            fields = self.read_type()
            if kind == "method":
                self.expect("->")
                fields = self.read_type()
            {"type": self.types, "method": self.methods, "error": self.errors}[kind][name] = fields

    def expect(self, word):
        found = self.words.pop(0)
        assert found == word, f"{word!r} expected, not {found!r}"

    def read_type(self):
        word = self.words.pop(0)
        if word in ("?", "[]"):
            return word, self.read_type()
        if word != "(":
            return word
        fields = {}
        while self.words[0] != ")":
            name = self.words.pop(0)
            self.expect(":")
            fields[name] = self.read_type()
            if self.words[0] == ",":
                self.words.pop(0)
        self.expect(")")
        return fields

    def problems(self, value, kind, where=""):
        """What is not as declared, each with its place."""
        if isinstance(kind, tuple) and kind[0] == "?":
            return [] if value is None else self.problems(value, kind[1], where)
        if isinstance(kind, tuple):
            if not isinstance(value, list):
                return [f"{where}: no array"]
            return [found for item in value for found in self.problems(item, kind[1], where + "[]")]
        if isinstance(kind, str) and kind in self.PLAIN:
            return [] if type(value) is self.PLAIN[kind] else [f"{where}: {value!r} is no {kind}"]
        fields = kind if isinstance(kind, dict) else self.types[kind]
        if not isinstance(value, dict):
            return [f"{where}: {value!r} has no fields"]
        found = [f"{where}.{name} is not declared" for name in value if name not in fields]
        for name, declared in fields.items():
            found += self.problems(value.get(name), declared, f"{where}.{name}")
        return found
