"""Turns a Debian kernel package into what the rig boots; installs nothing.

CACHE/VERSION/vmlinux is uncompressed (QEMU enters it by PVH: unpacking a bzImage costs seconds of emulation), and
CACHE/VERSION/root/lib/modules holds the few modules below, plain and with their dependencies.
"""
import json
import re
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

from . import paths
from .apt import AptError

MODULES = tuple('''
    virtio_pci virtio_net igb e1000e vmxnet3
    veth dummy ifb tun bridge 8021q bonding psample pktgen
    netlink_diag
    nf_tables nft_ct nft_masq nft_chain_nat nf_flow_table nf_flow_table_inet nft_flow_offload
    sch_mqprio sch_multiq sch_ingress act_mirred
'''.split())

ZSTD_MAGIC = b'\x28\xb5\x2f\xfd'


def package_pattern(kernel):
    """Debian names them linux-image-6.1.0-57-amd64 and linux-image-6.12.95+deb12-amd64; no -rt-, -cloud-, -unsigned."""
    return rf'linux-image-{re.escape(kernel)}\.\d+(-\d+)?(\+deb[\d.]+)?-amd64'


def vmlinux_of(bzimage):
    """The ELF image within a bzImage, as bytes (boot protocol: Documentation/arch/x86/boot.rst, payload_offset)."""
    setup_sectors = bzimage[0x1f1] or 4
    offset, length = struct.unpack_from('<II', bzimage, 0x248)
    start = (setup_sectors + 1) * 512 + offset
    payload = bzimage[start:start + length]
    unpack = ['zstd', '-dcq'] if payload.startswith(ZSTD_MAGIC) else ['xz', '-dc', '--single-stream']
    # The payload is followed by its own length, of which zstd complains: only the result counts.
    image = subprocess.run(unpack, input=payload, capture_output=True).stdout
    if not image.startswith(b'\x7fELF'):
        raise AptError('the kernel image is packed in a way the rig does not know')
    return image


def module_files(tree, version, modules):
    """The files of these modules and all that they depend on. A module that is built in has none."""
    files = set()
    for module in modules:
        shown = subprocess.run(['modprobe', '-d', tree, '-S', version, '--show-depends', module],
                               capture_output=True, text=True)
        if shown.returncode:
            raise AptError(f'kernel {version} has no module {module}')
        files |= {Path(line.split()[1]) for line in shown.stdout.splitlines() if line.startswith('insmod')}
    return sorted(files)


def copy_modules(tree, version, root):
    """Copy MODULES from an unpacked package into root, uncompressed, with a fresh index."""
    subprocess.run(['depmod', '-b', tree, version], check=True)
    source, target = tree / 'lib/modules' / version, root / 'lib/modules' / version
    target.mkdir(parents=True)
    for name in ('modules.builtin', 'modules.builtin.modinfo', 'modules.order'):
        shutil.copy(source / name, target)
    for file in module_files(tree, version, MODULES):
        copy = target / file.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == '.xz':
            copy.with_suffix('').write_bytes(subprocess.run(['xz', '-dc', file], capture_output=True, check=True).stdout)
        else:
            shutil.copy(file, copy)
    subprocess.run(['depmod', '-b', root, version], check=True)


def unpack(deb, home):
    with tempfile.TemporaryDirectory(dir=home) as scratch:
        tree = Path(scratch)
        subprocess.run(['dpkg-deb', '-x', deb, tree], check=True)
        version = next((tree / 'lib/modules').iterdir()).name
        shutil.rmtree(home / 'root', ignore_errors=True)
        copy_modules(tree, version, home / 'root')
        image = vmlinux_of((tree / 'boot' / f'vmlinuz-{version}').read_bytes())
        (home / 'vmlinux').write_bytes(image)


def ensure(apt, kernel, say):
    """Make the kernel bootable, or leave the reason in the cache. True when it can be booted."""
    home = paths.CACHE / kernel
    home.mkdir(parents=True, exist_ok=True)
    stamp = home / 'modules.json'
    if stamp.exists() and json.loads(stamp.read_text()) == list(MODULES):
        return True
    stamp.unlink(missing_ok=True)
    # A name may be known only because another package mentions it.
    name = next((n for n in reversed(apt.names(package_pattern(kernel))) if apt.versions(n)), None)
    if name is None:
        paths.unavailable(kernel).write_text(f'Debian {apt.codename} offers no such kernel\n')
        say(f'kernel {kernel}: not to be had on Debian {apt.codename}; its tests will be skipped')
        return False
    paths.unavailable(kernel).unlink(missing_ok=True)
    say(f'kernel {kernel}: {name}')
    paths.netdevsim(kernel).unlink(missing_ok=True)
    unpack(apt.download(name), home)
    (home / 'package').write_text(name + '\n')
    stamp.write_text(json.dumps(MODULES))
    return True


def version(kernel):
    """The full release of a kernel that is set up: 6.12.95+deb12-amd64."""
    return next((paths.modules(kernel) / 'lib/modules').iterdir()).name
