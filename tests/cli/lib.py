"""What the tests of the two programs share: running them, captured trees to run them on, and a runner of checks.

Each test is `THEME STEERCTL STEERD`; its checks are the functions named check_*. It ends 0 when all hold.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
STEERCTL, STEERD = (os.path.abspath(path) for path in sys.argv[1:3])
C240 = os.path.join(ROOT, "tests/machines/c240")
POLICY = os.path.join(ROOT, "etc/c240.ini")
IS_ROOT = os.geteuid() == 0

DONE, FAILED, USAGE, DRIFT = 0, 1, 2, 3


def run(program, *words, **more):
    more.setdefault("timeout", 60)
    more.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([program, *words], capture_output=True, text=True, errors="replace", **more)


def ctl(*words, **more):
    return run(STEERCTL, *words, **more)


def daemon(*words, **more):
    return run(STEERD, *words, **more)


def expect(done, status, out=None, err=None):
    """The exit status, and a part of standard output and error; "" stands for nothing at all."""
    told = f"{' '.join(done.args)}: exit {done.returncode}\n--- out\n{done.stdout}\n--- err\n{done.stderr}"
    assert done.returncode == status, f"want exit {status}: {told}"
    for want, got in ((out, done.stdout), (err, done.stderr)):
        assert want is None or (want in got if want else not got), f"want {want!r}: {told}"
    return done


def document(done):
    """The one JSON document of standard output."""
    assert done.stdout.endswith("}\n"), f"{' '.join(done.args)}: not a document and a newline: {done.stdout[-80:]!r} {done.stderr}"
    return json.loads(done.stdout)


class Scratch:
    """A directory that goes away, with copies of a captured machine in it."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="steer-cli-")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    def file(self, name, content):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())
        return path

    def machine(self, name="c240"):
        """A tree that may be changed."""
        path = os.path.join(self.path, name)
        subprocess.run([os.path.join(ROOT, "tests/machines/expand"), name, path], check=True, timeout=60)
        return path


def main(checks):
    failed = 0
    for name, check in list(checks.items()):
        if not name.startswith("check_"):
            continue
        try:
            check()
            print(f"ok      {name[6:]}")
        except Exception:  # a test program that stops at the first surprise hides the others
            failed += 1
            print(f"FAILED  {name[6:]}")
            traceback.print_exc(file=sys.stdout)
    sys.exit(1 if failed else 0)
