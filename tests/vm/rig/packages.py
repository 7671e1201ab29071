"""Makes sure that this machine has the programs the rig runs or copies into the guest."""
import shutil
import subprocess

from . import paths
from .apt import AptError

# Run on this machine: cc, xz and zstd by setup. Copied into the guest: the others.
NEEDED = ('gcc', 'libc6-dev', 'xz-utils', 'zstd', 'kmod', 'udev', 'busybox-static', 'dash', 'ethtool', 'iproute2',
          'strace', 'nftables')
# Daemons that guests run: unpacked in the cache and never installed, because this machine would run them too. What they
# need of libraries QEMU needs as well.
UNPACKED = ('irqbalance',)
QEMU = 'qemu-system-x86_64'
QEMU_PACKAGE = 'qemu-system-x86'
# The first release with the igb model.
QEMU_SINCE = '8.0'


def installed(package):
    status = subprocess.run(['dpkg-query', '-W', '-f', '${db:Status-Status}', package], capture_output=True, text=True)
    return status.stdout.startswith('installed')


def qemu_has_igb():
    return bool(shutil.which(QEMU)) and subprocess.run([QEMU, '-device', 'igb,help'], capture_output=True).returncode == 0


def newer(version, than):
    return subprocess.run(['dpkg', '--compare-versions', version.split(':')[-1], 'ge', than]).returncode == 0


def qemu_suite(apt):
    """The suite to take QEMU from: the release's own when it is new enough, else backports."""
    able = [suite for version, suite in apt.versions(QEMU_PACKAGE) if newer(version, QEMU_SINCE)]
    if not able:
        raise AptError(f'no suite of Debian {apt.codename} has {QEMU_PACKAGE} {QEMU_SINCE} or later, which igb needs')
    own = [suite for suite in able if suite != apt.backports]
    return own[0] if own else able[0]


def ensure(apt):
    missing = [p for p in NEEDED if not installed(p)]
    if missing:
        apt.install(missing)
    if not qemu_has_igb():
        apt.install([QEMU_PACKAGE], qemu_suite(apt))
    for package in UNPACKED:
        if not paths.unpacked(package).exists():
            paths.unpacked(package).parent.mkdir(exist_ok=True)
            subprocess.run(['dpkg-deb', '-x', apt.download(package), paths.unpacked(package)], check=True)
