"""Builds netdevsim, which Debian's kernels leave out, as a module from Debian's own source of the same version.

Headers and source are unpacked into a scratch directory and never installed. A failure is noted, not raised: only the
tests that need netdevsim are skipped then.
"""
import re
import subprocess
import tarfile
import tempfile
from itertools import dropwhile
from pathlib import Path

from . import kernel as kernels
from . import packages, paths
from .apt import AptError

SOURCE = 'drivers/net/netdevsim'

# The driver's files that depend on what the kernel was built with; its own Makefile says the same.
MAKEFILE = '''\
optional := bpf ipsec macsec psample
obj-m := netdevsim.o
netdevsim-y := $(filter-out $(optional:=.o) netdevsim.mod.o,$(patsubst $(src)/%.c,%.o,$(wildcard $(src)/*.c)))
have = $(patsubst $(src)/%.c,%.o,$(wildcard $(src)/$(1).c))
netdevsim-$(CONFIG_BPF_SYSCALL) += $(call have,bpf)
netdevsim-$(if $(CONFIG_XFRM_OFFLOAD),y) += $(call have,ipsec)
netdevsim-$(if $(CONFIG_MACSEC),y) += $(call have,macsec)
netdevsim-$(if $(CONFIG_PSAMPLE),y) += $(call have,psample)
'''


def field(deb, name):
    return subprocess.run(['dpkg-deb', '-f', deb, name], capture_output=True, text=True, check=True).stdout.strip()


def fetch_headers(apt, kernel):
    """The .debs that a module is built against: the headers of the kernel and what these depend on."""
    image = apt.download((paths.CACHE / kernel / 'package').read_text().strip())
    version = field(image, 'Version')
    headers = apt.download(f'linux-headers-{kernels.version(kernel)}', version)
    debs = [headers]
    for name in re.findall(r'linux-(?:headers|kbuild)-[^\s,(]+', field(headers, 'Depends')):
        debs.append(apt.download(name, version))
    return debs, apt.download(f'linux-source-{kernel}', version)


def unpack_source(deb, target):
    """Only the driver's directory, out of the tarball within the package; what follows it is not even unpacked."""
    with subprocess.Popen(['dpkg-deb', '--fsys-tarfile', deb], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as tar:
        with tarfile.open(fileobj=tar.stdout, mode='r|') as package:
            inner = next(m for m in package if m.name.endswith('.tar.xz'))
            with tarfile.open(fileobj=package.extractfile(inner), mode='r|xz') as source:
                inside = (m for m in source if m.isfile())
                for member in dropwhile(lambda m: f'/{SOURCE}/' not in m.name, inside):
                    directory, _, name = member.name.rpartition('/')
                    if not directory.endswith(SOURCE):
                        break
                    (target / name).write_bytes(source.extractfile(member).read())
        tar.kill()


def relocate(tree):
    """Debian's headers refer to each other by absolute paths: make these lead into the tree."""
    for makefile in tree.glob('usr/src/linux-headers-*/Makefile'):
        text = makefile.read_text()
        makefile.write_text(re.sub(r'(?<![\w/])/usr/(src|lib)/', rf'{tree}/usr/\1/', text))
    for link in tree.rglob('*'):
        if link.is_symlink() and str(link.readlink()).startswith('/usr/'):
            target = tree / str(link.readlink())[1:]
            link.unlink()
            link.symlink_to(target)


def build(apt, kernel):
    version = kernels.version(kernel)
    debs, source = fetch_headers(apt, kernel)
    with tempfile.TemporaryDirectory(dir=paths.CACHE) as scratch:
        tree = Path(scratch)
        for deb in debs:
            subprocess.run(['dpkg-deb', '-x', deb, tree], check=True)
        relocate(tree)
        module = tree / 'netdevsim'
        module.mkdir()
        unpack_source(source, module)
        (module / 'Makefile').write_text(MAKEFILE)
        # Type information would need pahole, and nothing here reads it.
        made = subprocess.run(['make', '-C', tree / 'usr/src' / f'linux-headers-{version}', f'M={module}', '-j2',
                               'CONFIG_DEBUG_INFO_BTF_MODULES=', 'modules'], capture_output=True, text=True)
        if made.returncode:
            raise AptError('it does not build: ' + ' '.join(made.stderr.split('\n')[:3]))
        subprocess.run(['strip', '--strip-debug', '-o', paths.netdevsim(kernel), module / 'netdevsim.ko'], check=True)


def ensure(apt, kernel, say):
    if paths.why_no_netdevsim(kernel) is None:
        return
    say(f'kernel {kernel}: building netdevsim')
    paths.netdevsim_failed(kernel).unlink(missing_ok=True)
    try:
        if not packages.installed('make'):
            apt.install(['make'])
        build(apt, kernel)
    except (AptError, OSError, subprocess.CalledProcessError) as error:
        paths.netdevsim_failed(kernel).write_text(f'{error}\n')
        say(f'kernel {kernel}: no netdevsim: {error}')
