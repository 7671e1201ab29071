"""Turns a described machine into QEMU's command line; starts nothing.

Emulated, not virtualised: the same everywhere, and quick enough when nothing superfluous is emulated. README.md has the
figures.
"""
from . import paths
from .packages import QEMU

# Words of the kernel command line, each with what it saves or prevents.
KERNEL_WORDS = (
    'console=ttyS0', 'quiet', 'loglevel=3',
    'panic=-1',                          # with -no-reboot: a panic ends QEMU at once
    'lpj=5000000',                       # 40 emulated CPUs that calibrate their delay loops can hang for minutes
    'tsc=reliable', 'no_timer_check', 'random.trust_cpu=on', '8250.nr_uarts=2',
    'mitigations=off', 'rodata=off', 'init_on_alloc=0', 'lsm=capability', 'audit=0',
    'nowatchdog', 'nmi_watchdog=0', 'cryptomgr.notests', 'rcupdate.rcu_expedited=1',
    'i8042.noaux', 'i8042.nokbd', 'i8042.nopnp', 'noresume',
    # Self-tests and keys that nobody here uses.
    'initcall_blacklist=big_key_init,init_encrypted,fscrypt_init,crypto_kdf108_init,jent_mod_init',
)
DEVICES = {'virtio': 'virtio-net-pci'}

# Port of the isa-debug-exit device: writing v ends QEMU with status 2v + 1. guest/init writes there.
EXIT_PORT = 0x501


def exit_status(qemu_status):
    """The guest script's status, or None when the guest ended without giving one."""
    return qemu_status >> 1 if qemu_status > 0 and qemu_status & 1 else None


class CommandLine:
    """Collects arguments; host bridges are made when the first device of their node asks for them."""

    def __init__(self):
        self.args = []
        self.bridges = {}
        self.slots = 0

    def add(self, *args):
        self.args += args

    def bridge(self, node):
        """The bus that belongs to a NUMA node; pcie.0, which belongs to none, without a node."""
        if node is None:
            return 'pcie.0'
        if node not in self.bridges:
            self.bridges[node] = f'node{node}'
            self.add('-device', f'pxb-pcie,id=node{node},bus_nr={0x40 * (node + 1)},numa_node={node},bus=pcie.0')
        return self.bridges[node]

    def port(self, name, node):
        """A root port of its own, whose slot number names the interface in it: slot 1 is ens1."""
        bus = self.bridge(node)
        self.slots += 1
        self.add('-device', f'pcie-root-port,id={name},bus={bus},chassis={self.slots},slot={self.slots}')

    def backend(self, name, nic):
        """The network on the far side of a NIC: a tap in QEMU's own namespace, or nothing that answers."""
        if not nic.has_tap:
            self.add('-netdev', f'user,id={name},restrict=on')
            return
        queues = f',queues={nic.queues}' if nic.queues > 1 else ''
        # A real cable carries frames, not 64 KiB parcels that the other end is to cut up.
        plain = '' if nic.model == 'virtio' else ',vnet_hdr=off'
        self.add('-netdev', f'tap,id={name},ifname={name},script=no,downscript=no{queues}{plain}')


def device(nic, number):
    """The -device argument of a NIC. No option ROM: the firmware would spend a second on it."""
    words = [DEVICES.get(nic.model, nic.model), f'id=nic{number}', f'netdev=n{number}', f'bus=slot{number}',
             f'mac={nic.mac}', 'romfile=']
    if nic.model == 'virtio' and nic.queues > 1:
        words += ['mq=on', f'vectors={2 * nic.queues + 2}']
    return ','.join(words)


def add_processors(line, machine):
    cores = machine.cpus // machine.sockets // machine.threads
    per_node = machine.cpus // machine.nodes
    memory = machine.memory // machine.nodes
    line.add('-cpu', 'Nehalem,-vme,+x2apic', '-m', f'{memory * machine.nodes}M',
             '-smp', f'{machine.cpus},sockets={machine.sockets},cores={cores},threads={machine.threads}')
    for node in range(machine.nodes):
        cpus = f'{node * per_node}-{(node + 1) * per_node - 1}'
        line.add('-object', f'memory-backend-ram,id=ram{node},size={memory}M',
                 '-numa', f'node,nodeid={node},cpus={cpus},memdev=ram{node}')
    for a in range(machine.nodes):
        for b in range(a + 1, machine.nodes):
            line.add('-numa', f'dist,src={a},dst={b},val=21')


def add_nics(line, machine):
    for number, nic in enumerate(machine.nics):
        line.port(f'slot{number}', nic.node)
        line.backend(f'n{number}', nic)
        line.add('-device', device(nic, number))
    for number, port in enumerate(machine.ports):
        line.port(f'hp{number}', port.node)


def arguments(machine, kernel, initrd, monitor, channel):
    """QEMU's whole command line. `monitor` and `channel` are listening sockets that it inherits."""
    line = CommandLine()
    line.add(QEMU, '-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none',
             '-accel', 'tcg,thread=multi,tb-size=256', '-M', 'q35,hpet=off,vmport=off,smm=off',
             # Every port is the PCIe driver's then, with a slot number that names its interface.
             '-global', 'ICH9-LPC.acpi-pci-hotplug-with-bridge-support=off',
             # What the guest tells a virtio NIC is heard at once: told by an event descriptor, it was now and then forgotten.
             '-global', 'virtio-net-pci.ioeventfd=off')
    add_processors(line, machine)
    add_nics(line, machine)
    line.add('-device', f'isa-debug-exit,iobase={EXIT_PORT:#x},iosize=1',
             '-chardev', f'socket,id=monitor,fd={monitor.fileno()},server=on,wait=off',
             '-mon', 'chardev=monitor,mode=control',
             '-chardev', 'stdio,id=console,signal=off', '-serial', 'chardev:console',
             '-chardev', f'socket,id=channel,fd={channel.fileno()},server=on,wait=off', '-serial', 'chardev:channel',
             '-kernel', str(paths.vmlinux(kernel)), '-initrd', str(initrd),
             '-append', ' '.join((*KERNEL_WORDS, machine.append)).strip())
    return line.args
