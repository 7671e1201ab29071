"""Reads a machine's description (tests/machines/NAME/machine) into plain values. Writes nothing.

A description is lines of "KEY VALUE..."; "#" begins a comment. The keys before the first device are the host's:

    source TEXT                    where the shape is publicly known from (at least one; several are fine)
    policy FILE                    below the source root; absent: policy.ini beside the description
    kernel RELEASE  arch NAME  model TEXT  cmdline TEXT  prec N (digits of an IRQ number in /proc/interrupts)
    package CPUS                   one line a package; absent: each node is one
    node ID [CPUS]                 one line a node, without CPUS a memory-only one; absent: no NUMA
    node-cpulist LIST              node directories list these CPUs too, though they are offline
    smt off | +N | adjacent N      siblings are CPU and CPU+N, or N neighbours
    llc N | none                   cores that share a last-level cache; none: the kernel tells of no cache; absent: a package shares one
    offline CPUS  possible CPUS  isolated CPUS  nohz_full CPUS
    msi CHIP                       name of the MSI interrupt chip
    row IRQ TEXT                   some other line of /proc/interrupts
    sysctl NAME VALUE
    portal QMan|BMan CPU IRQ CHIP NUMBER   the interrupt of a DPAA portal, on its CPU
    fmc sdk                        NXP's kernel, and the files of its fmc: /dev/fm0, protocol description, program

A device begins with "nic NAME", "bridge NAME PORTS...", "bond NAME PORTS...", "vlan NAME on LOWER", "veth NAME". "nic NAME like OTHER" takes all
keys from another one, and those that follow replace them. Its keys:

    driver NAME  pci BDF VENDOR:DEVICE  virtio NAME  device PATH SUBSYSTEM (below /sys/devices/platform)
    node ID  local CPUS            absent: the node's CPUs; node -1: all CPUs
    link up [SPEED] | no-carrier | down
    channels KIND COUNT/MAX ...    pause autoneg on|off rx on|off tx on|off       rings rx N/MAX tx N/MAX
    features NAME on|off|fixed-on|fixed-off ...
    queues rx N tx N               absent: as the channels say
    physfn NIC                     a virtual function of it
    irq FIRST                      number of the first vector; the others count on
    vector ROLE[,ROLE] [QUEUES] NAME... [on CPUS | each CPUS...] [chip NAME NUMBER Level|Edge]
                                   in MSI order. NAME may hold {nic} {bus} {dev} {q} {q+1} {n} (vector of its line);
                                   two roles take turns. "each": the i-th queue's on the i-th CPU (or word)
    vector allocated N             vectors that nobody requested: known to msi_irqs alone
    mac N FIRST                    a port of the Frame Manager, and its first receive queue
    rps CPUS  flows N  xps each CPUS... | on CPUS                          napi FIRST-ID (netdev-genl answers)
"""
import copy
import re

from . import cpus


class Vector:
    """One interrupt of a NIC and the truth about it: role and queue are what `show` has to find out."""

    def __init__(self, irq, index, role=None, queue=None, name=None, affinity=None, chip=None):
        self.irq, self.index, self.role, self.queue, self.name = irq, index, role, queue, name
        self.affinity, self.chip = affinity, chip

    @property
    def requested(self):
        return self.name is not None


class Device:
    """A network device: its keys as they were written, and its vectors."""

    def __init__(self, kind, name, words):
        self.kind, self.name, self.words, self.keys, self.lines = kind, name, words, {}, []
        self.vectors = []

    def get(self, key, default=""):
        return self.keys.get(key, default)

    @property
    def up(self):
        return self.get("link", "up").split()[0] != "down"

    @property
    def bus(self):
        return self.get("virtio") or self.get("pci", "").split(" ")[0] or self.get("device", "").split(" ")[0].split("/")[-1]

    def pairs(self, key):
        """The words of a key by twos: {"rx": "256/4096"}."""
        words = self.get(key).split()
        return dict(zip(words[::2], words[1::2]))

    def queues(self, side):
        """How many rx or tx queues there are."""
        if "queues" in self.keys:
            return int(self.pairs("queues").get(side, 1))
        counts = {kind: int(value.split("/")[0]) for kind, value in self.pairs("channels").items()}
        return counts.get("combined", 0) + counts.get(side, 0) or 1


class Machine:
    def __init__(self):
        self.keys, self.sources, self.nodes, self.packages, self.rows, self.sysctls = {}, [], {}, [], [], []
        self.node_words, self.devices, self.portals = {}, [], []

    def get(self, key, default=""):
        return self.keys.get(key, default)

    def device(self, name):
        return next(d for d in self.devices if d.name == name)

    def finish(self):
        """Works out what follows from the keys: which CPUs there are, and where they are."""
        everyone = [c for part in self.packages + list(self.nodes.values()) for c in part]
        self.offline = set(cpus.parse(self.get("offline")))
        self.present = sorted(set(everyone) | self.offline)
        self.online = [c for c in self.present if c not in self.offline]
        self.possible = cpus.parse(self.get("possible")) or self.present
        self.width = max(self.possible) + 1
        if not self.packages:
            self.packages = [part for part in self.nodes.values() if part]
        for device in self.devices:
            device.vectors = list(vectors(self, device))
        return self

    def local(self, device):
        """What local_cpulist of a device says."""
        if "local" in device.keys:
            return cpus.parse(device.get("local"))
        node = int(device.get("node", "-1"))
        return self.nodes[node] if node >= 0 else self.online


def fill(pattern, device, queue, number):
    """The action name of a vector: the driver's pattern, filled in."""
    words = {"nic": device.name, "bus": device.get("pci").split(" ")[0], "dev": device.bus, "q": queue,
             "q+1": (queue or 0) + 1, "n": number}
    return re.sub(r"\{([^}]*)\}", lambda m: str(words[m[1]]), pattern)


def vectors(machine, device):
    """The vectors of a device, from its vector lines."""
    irq, index = int(device.get("irq", "0")), 0
    for line in device.lines:
        words = line.split()
        if words[0] == "allocated":
            for _ in range(int(words[1])):
                yield Vector(irq + index, index)
                index += 1
            continue
        roles, words = words[0].split(","), words[1:]
        queues = cpus.parse(words.pop(0)) if re.fullmatch(r"[\d,-]+", words[0]) else [None]
        names, words = words[:len(roles)], words[len(roles):]
        options = {"on": None, "each": None, "chip": None}
        for word in words:
            if word in options:
                key, options[word] = word, []
            else:
                options[key].append(word)
        for number, queue in enumerate(queues):
            for role, name in zip(roles, names):
                yield Vector(irq + index, index, role, queue, fill(name, device, queue, number),
                             where(options, number) or machine.local(device), platform(options["chip"]))
                index += 1


def platform(words):
    """(chip, hardware number, trigger) of a vector that is no MSI, or None."""
    return (words[0], int(words[1]), f" {words[2]}") if words else None


def where(options, number):
    """The CPUs of the number-th of several, from {"on": [CPUS], "each": [CPUS...]}; None: neither says."""
    if options.get("each"):
        words = options["each"]
        each = [cpus.parse(w) for w in words] if len(words) > 1 else [[c] for c in cpus.parse(words[0])]
        return each[number % len(each)]
    return cpus.parse(options["on"][0]) if options.get("on") else None


def read(path):
    """The machine that a file describes. A line that means nothing is an error: a typo must not pass in silence."""
    machine, device = Machine(), None
    host = {"policy", "kernel", "arch", "model", "cmdline", "prec", "node-cpulist", "smt", "llc", "offline", "possible",
            "isolated", "nohz_full", "msi", "fmc"}
    of_device = {"driver", "pci", "virtio", "device", "node", "local", "link", "channels", "pause", "rings", "features",
                 "queues", "physfn", "irq", "rps", "flows", "xps", "napi", "mac"}
    with open(path) as f:
        lines = f.read().splitlines()
    for number, line in enumerate(lines, 1):
        line = re.sub(r"(^|\s)#.*", "", line).strip()
        key, _, value = re.sub(r"\s+", " ", line).partition(" ")
        if not key:
            continue
        if key in ("nic", "bridge", "bond", "vlan", "veth"):
            name, _, words = value.partition(" ")
            device = Device(key, name, words.split())
            if key == "nic" and words:
                other = machine.device(device.words[1])
                device.keys, device.lines = copy.copy(other.keys), list(other.lines)
            machine.devices.append(device)
            fresh = True
        elif device and key == "vector":
            device.lines = [value] if fresh else device.lines + [value]
            fresh = False
        elif device and key in of_device:
            device.keys[key] = value
        elif not device and key in host:
            machine.keys[key] = value
        elif not device and key == "source":
            machine.sources.append(value)
        elif not device and key == "portal":
            kind, cpu, irq, chip, hardware = value.split()
            machine.portals.append((f"{kind} portal {cpu}", int(cpu), int(irq), chip, int(hardware)))
        elif not device and key == "node":
            node, _, members = value.partition(" ")
            machine.nodes[int(node)] = cpus.parse(members)
        elif not device and key == "package":
            machine.packages.append(cpus.parse(value))
        elif not device and key in ("row", "sysctl"):
            name, _, rest = line.split(None, 1)[1].partition(" ")
            (machine.rows if key == "row" else machine.sysctls).append((name, rest.strip()))
        else:
            raise SystemExit(f"{path}:{number}: what is '{key}'?")
    return machine.finish()
