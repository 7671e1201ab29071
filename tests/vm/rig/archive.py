"""Collects the files of a guest and writes them as one uncompressed newc cpio; reads host files, changes none.

Guest paths are those of a merged /usr: /bin/x is stored as /usr/bin/x, and /bin is a link.
Format: Documentation/driver-api/early-userspace/buffer-format.rst.
"""
import re
import stat
import subprocess
from pathlib import Path, PurePosixPath

MERGED = ('bin', 'sbin', 'lib', 'lib64')


def merged(path):
    """The path as stored: relative, and below usr/ for the four merged directories."""
    parts = PurePosixPath(path).parts
    parts = parts[1:] if parts[0] == '/' else parts
    return '/'.join(('usr', *parts) if parts[0] in MERGED else parts)


def libraries(program):
    """The shared libraries of a program, its loader included; none for a static one or a script."""
    shown = subprocess.run(['ldd', program], capture_output=True, text=True)
    if 'not found' in shown.stdout:
        raise FileNotFoundError(f'{program}: {shown.stdout.strip()}')
    return re.findall(r'(/\S+) \(0x', shown.stdout)


class Archive:
    def __init__(self):
        self.entries = {}

    def _put(self, path, mode, data):
        parent = PurePosixPath(path).parent
        if str(parent) != '.' and str(parent) not in self.entries:
            self._put(str(parent), stat.S_IFDIR | 0o755, b'')
        self.entries[path] = (mode, data)

    def directory(self, path, mode=0o755):
        self._put(merged(path), stat.S_IFDIR | mode, b'')

    def link(self, path, target):
        self._put(merged(path), stat.S_IFLNK | 0o777, str(target).encode())

    def text(self, path, text, mode=0o644):
        self._put(merged(path), stat.S_IFREG | mode, text.encode())

    def file(self, host, path=None, mode=None):
        """A copy of a host file (links followed), at the same path unless another is given."""
        host = Path(host)
        mode = host.stat().st_mode & 0o777 if mode is None else mode
        self._put(merged(path or host.absolute()), stat.S_IFREG | mode, host.read_bytes())

    def program(self, host, path=None):
        """A host program together with the libraries that it is linked with."""
        self.file(host, path, 0o755)
        for library in libraries(host):
            self.file(library)

    def tree(self, host, path):
        for file in sorted(Path(host).rglob('*')):
            if file.is_file():
                self.file(file, f'{path}/{file.relative_to(host)}')

    def __contains__(self, path):
        return merged(path) in self.entries

    def write(self, out):
        """Write the archive to an open binary file."""
        for number, path in enumerate(sorted(self.entries), start=1):
            mode, data = self.entries[path]
            write_member(out, number, path, mode, data)
        write_member(out, 0, 'TRAILER!!!', 0, b'')


def write_member(out, number, path, mode, data):
    name = path.encode() + b'\0'
    links = 2 if stat.S_ISDIR(mode) else 1
    fields = (number, mode, 0, 0, links, 0, len(data), 0, 0, 0, 0, len(name), 0)
    header = b'070701' + b''.join(b'%08X' % f for f in fields)
    for block in (header + name, data):
        out.write(block + b'\0' * (-len(block) % 4))
