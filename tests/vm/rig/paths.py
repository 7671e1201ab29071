"""Says where the rig's files and its cache lie; creates nothing."""
import os
from pathlib import Path

VM = Path(__file__).resolve().parent.parent
REPO = VM.parent.parent
GUEST = VM / 'guest'
CASES = VM / 'cases'
MACHINES = VM / 'machines'
OBSERVED = VM / 'observed'
CACHE = Path(os.environ.get('STEER_VM_CACHE') or REPO / 'build' / 'vm').resolve()
BUILD = Path(os.environ.get('STEER_BUILD') or REPO / 'build').resolve()

# The two kernels that Debian 12 offers; on a later Debian one of them may not be to be had.
KERNELS = ('6.1', '6.12')


def vmlinux(kernel):
    return CACHE / kernel / 'vmlinux'


def modules(kernel):
    """The tree that holds lib/modules/VERSION with the modules of rig/kernel.py and nothing else."""
    return CACHE / kernel / 'root'


def initramfs(kernel):
    return CACHE / kernel / 'initramfs.cpio'


def unavailable(kernel):
    """The file in which setup notes why this kernel could not be had."""
    return CACHE / kernel / 'unavailable'


def unpacked(package):
    """The tree of a package that is not installed on this machine."""
    return CACHE / 'unpacked' / package


def netdevsim(kernel):
    """The module, as a file that a guest loads with insmod."""
    return CACHE / kernel / 'netdevsim.ko'


def netdevsim_failed(kernel):
    """The file in which setup notes why netdevsim could not be built."""
    return CACHE / kernel / 'netdevsim-failed'


def why_not(kernel):
    """None when machines can boot this kernel, else one sentence for a skipped test."""
    if unavailable(kernel).exists():
        return f'kernel {kernel}: {unavailable(kernel).read_text().strip()}'
    if not initramfs(kernel).exists():
        return f'kernel {kernel} is not set up: run tests/vm/setup'
    return None


def why_no_netdevsim(kernel):
    """None when the kernel has the module, else one sentence for a skipped test."""
    if netdevsim(kernel).exists():
        return None
    if netdevsim_failed(kernel).exists():
        return f'netdevsim for {kernel}: {netdevsim_failed(kernel).read_text().strip()}'
    return f'netdevsim for {kernel} is not built: run tests/vm/setup --netdevsim'
