"""Decides what a guest's root file system holds: a Debian in miniature, made of this machine's own programs.

The initramfs has what every guest needs and changes seldom; setup builds it. The overlay has what changes with every
run (init, the guest's shell library, the case, steerd); run appends it as a second archive, which the kernel unpacks
over the first.
"""
import shutil
import subprocess

from . import paths
from .archive import Archive

PROGRAMS = ('dash', 'bash', 'udevadm', 'kmod', 'ethtool', 'ip', 'tc', 'strace', 'nft')
KMOD_NAMES = ('modprobe', 'insmod', 'rmmod', 'modinfo', 'depmod', 'lsmod')
# Only what names interfaces and loads drivers: the other rules cost seconds at boot.
UDEV_RULES = ('50-udev-default', '75-net-description', '80-drivers', '80-net-setup-link')
GUEST_PROGRAMS = ('snap', 'napi')
GUEST_FILES = tuple(paths.GUEST / name for name in ('lib.sh', 'masks.awk', 'writes.awk'))
ETC = {
    'passwd': 'root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n',
    'group': 'root:x:0:\nsteerd:x:900:\nnogroup:x:65534:\n',
    'machine-id': '',
}


def host_path(program):
    found = shutil.which(program, path='/usr/sbin:/usr/bin:/sbin:/bin')
    if not found:
        raise FileNotFoundError(f'{program} is not installed: run tests/vm/setup')
    return found


def add_busybox(archive):
    """Every applet that no real program replaces."""
    archive.file(host_path('busybox'), '/usr/bin/busybox', 0o755)
    real = {*PROGRAMS, *KMOD_NAMES, 'sh', 'busybox'}
    for applet in subprocess.run(['busybox', '--list-full'], capture_output=True, text=True).stdout.split():
        if applet.rpartition('/')[2] not in real and applet.startswith(('bin/', 'sbin/', 'usr/')):
            archive.link('/' + applet, '/usr/bin/busybox')


def add_programs(archive):
    for program in PROGRAMS:
        archive.program(host_path(program))
    # Not busybox: its shell takes its own applets (ip, for one) before those in PATH.
    archive.link('/bin/sh', 'dash')
    for name in KMOD_NAMES:
        archive.link(f'/sbin/{name}', host_path('kmod'))


def add_udev(archive):
    archive.link('/lib/systemd/systemd-udevd', host_path('udevadm'))
    for rule in UDEV_RULES:
        archive.file(f'/usr/lib/udev/rules.d/{rule}.rules')
    archive.tree('/usr/lib/systemd/network', '/usr/lib/systemd/network')


def build_initramfs(kernel):
    """Write CACHE/KERNEL/initramfs.cpio."""
    archive = Archive()
    for name in ('dev', 'proc', 'sys', 'run', 'tmp', 'root', 'var', 'etc/udev', 'etc/systemd/network', 'etc/steerd'):
        archive.directory(f'/{name}')
    for name in ('bin', 'sbin', 'lib', 'lib64'):
        archive.entries[name] = (0o120777, f'usr/{name}'.encode())
    archive.link('/var/run', '../run')
    add_busybox(archive)
    add_programs(archive)
    add_udev(archive)
    for name, text in ETC.items():
        archive.text(f'/etc/{name}', text)
    archive.tree(paths.modules(kernel) / 'lib/modules', '/lib/modules')
    scratch = paths.initramfs(kernel).with_suffix('.new')
    with open(scratch, 'wb') as out:
        archive.write(out)
    scratch.rename(paths.initramfs(kernel))


def compiled(name):
    """The path of a static program of tests/vm/guest, compiled when its source is newer."""
    source, program = paths.GUEST / f'{name}.c', paths.CACHE / 'guest' / name
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        program.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(['cc', '-std=c11', '-Wall', '-Wextra', '-O2', '-static', '-o', program, source], check=True)
    return program


def add_steerd(archive):
    """The freshly built programs, as far as they are built, and the policies that are shipped."""
    for name, target in (('steerd', '/usr/sbin/steerd'), ('steerctl', '/usr/bin/steerctl')):
        if (paths.BUILD / name).exists():
            archive.program(paths.BUILD / name, target)
    for policy in sorted((paths.REPO / 'etc').glob('*.ini')):
        archive.file(policy, f'/etc/steerd/{policy.name}')


def add_names(archive, machine):
    """Interfaces get the names that the machine's description gives them."""
    for nic in machine.nics:
        if nic.name:
            archive.text(f'/etc/systemd/network/10-{nic.name}.link',
                         f'[Match]\nMACAddress={nic.mac}\n[Link]\nName={nic.name}\n')


def overlay(machine, kernel, script, added=()):
    """The archive of what changes with every run. All lands in /vm, which is in the guest's PATH."""
    archive = Archive()
    archive.file(paths.GUEST / 'init', '/init', 0o755)
    for file in (*GUEST_FILES, *added):
        put = archive.program if file.stat().st_mode & 0o111 else archive.file
        put(file, f'/vm/{file.name}')
    for name in GUEST_PROGRAMS:
        archive.program(compiled(name), f'/vm/{name}')
    if 'netdevsim' in machine.needs:
        archive.file(paths.netdevsim(kernel), '/vm/netdevsim.ko')
    if 'irqbalance' in machine.needs:
        archive.program(paths.unpacked('irqbalance') / 'usr/sbin/irqbalance', '/vm/irqbalance')
    add_steerd(archive)
    add_names(archive, machine)
    if script is not None:
        archive.text('/vm/script', script, 0o755)
    return archive
