"""A network namespace of the test's own, with its own /sys and /run: nothing outside is seen or touched."""
import ctypes
import os
import pathlib
import socket
import subprocess
import sys

SKIP = 77
NEW_MOUNTS, NEW_NAMES, NEW_NETWORK = 0x00020000, 0x04000000, 0x40000000
PRIVATE, RECURSIVE = 1 << 18, 1 << 14

libc = ctypes.CDLL(None, use_errno=True)


class Impossible(Exception):
    pass


def check(result, what):
    if result < 0:
        raise Impossible(f"{what}: {os.strerror(ctypes.get_errno())}")


def mount(kind, where):
    check(libc.mount(b"none", where.encode(), kind.encode(), 0, None), f"mounting {kind} on {where}")


def enter():
    """Moves this process into new namespaces, or says why that cannot be and ends with the status for skipped."""
    try:
        if os.geteuid() != 0:
            raise Impossible("not root")
        check(libc.unshare(NEW_MOUNTS | NEW_NETWORK), "making namespaces")
        check(libc.mount(None, b"/", None, PRIVATE | RECURSIVE, None), "making mounts private")
        mount("sysfs", "/sys")
        mount("tmpfs", "/run")
        veth(probe="probe0")
    except Impossible as reason:
        print(f"skip: {reason}")
        sys.exit(SKIP)


def name_host(name):
    """Only for this process and those it starts."""
    check(libc.unshare(NEW_NAMES), "making a namespace of names")
    socket.sethostname(name)


def command(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def veth(name="ve0", peer="ve1", queues=4, probe=None):
    """A pair of virtual Ethernet devices with so many receive and transmit queues each."""
    if probe:
        tried = subprocess.run(["ip", "link", "add", "name", probe, "type", "veth"], capture_output=True, text=True)
        if tried.returncode:
            raise Impossible(f"no veth devices: {tried.stderr.strip()}")
        return command("ip", "link", "del", probe)
    count = ["numrxqueues", str(queues), "numtxqueues", str(queues)]
    return command("ip", "link", "add", "name", name, *count, "type", "veth", "peer", "name", peer, *count)


def links():
    return sorted(p.name for p in pathlib.Path("/sys/class/net").iterdir() if p.is_dir() and p.name != "lo")


def remove_links():
    for name in links():
        subprocess.run(["ip", "link", "del", name], capture_output=True)


def queue_value(device, queue, name):
    return pathlib.Path(f"/sys/class/net/{device}/queues/{queue}/{name}").read_text().strip()


def queues(device):
    return sorted(os.listdir(f"/sys/class/net/{device}/queues"))


def state(device):
    """All that steerd could change on a device, as the kernel and ethtool(8) tell it."""
    found = {"channels": subprocess.run(["ethtool", "-l", device], capture_output=True, text=True).stdout}
    for path in sorted(pathlib.Path(f"/sys/class/net/{device}/queues").glob("*/*ps_*")):
        try:
            found[str(path)] = path.read_text()
        except OSError as error:
            found[str(path)] = error.errno
    return found
