"""CPUs, nodes and host facts of a machine as files of /sys and /proc. Knows nothing of network devices."""
from . import cpus

CPU, NODE = "sys/devices/system/cpu", "sys/devices/system/node"


def siblings(machine, cpu):
    """The hardware threads of a CPU's core, itself included, online or not."""
    kind, *number = machine.get("smt", "off").split()
    if kind == "adjacent":
        first = cpu - cpu % int(number[0])
        return range(first, first + int(number[0]))
    if kind.startswith("+"):
        step = int(kind)
        core = cpu % step if cpu < 2 * step else cpu
        return [core, core + step]
    return [cpu]


def caches(machine, package):
    """The CPUs of a package by last-level cache: so many cores each, in order."""
    cores = []
    for cpu in package:
        core = [c for c in siblings(machine, cpu) if c in package]
        if core not in cores:
            cores.append(core)
    size = int(machine.get("llc")) if machine.get("llc", "none") != "none" else len(cores)
    return [sum(cores[i:i + size], []) for i in range(0, len(cores), size)]


def cpu_files(machine):
    """One directory a CPU: where it sits, and who shares its core, package and last-level cache."""
    online = set(machine.online)

    def mask(some):
        return cpus.mask(online & set(some), machine.width)

    for number, package in enumerate(machine.packages):
        cores = {}
        for group in caches(machine, package):
            shared = mask(group)
            for cpu in group:
                if cpu not in online:
                    continue
                first = min(siblings(machine, cpu))
                core = cores.setdefault(first, len(cores))
                here = f"{CPU}/cpu{cpu}"
                yield f"{here}/topology/physical_package_id", str(number)
                yield f"{here}/topology/core_id", str(core)
                yield f"{here}/topology/core_cpus", mask(siblings(machine, cpu))
                yield f"{here}/topology/package_cpus", mask(package)
                if machine.get("llc") != "none":
                    yield f"{here}/cache/index3/level", "3"
                    yield f"{here}/cache/index3/type", "Unified"
                    yield f"{here}/cache/index3/shared_cpu_map", shared
    for cpu in machine.offline:
        yield f"{CPU}/cpu{cpu}/online", "0"


def cpu_lists(machine):
    """The lists above the CPUs' own directories."""
    yield f"{CPU}/possible", cpus.text(machine.possible)
    yield f"{CPU}/present", cpus.text(machine.present)
    yield f"{CPU}/online", cpus.text(machine.online)
    yield f"{CPU}/isolated", cpus.text(cpus.parse(machine.get("isolated")))
    if "nohz_full" in machine.keys:
        yield f"{CPU}/nohz_full", cpus.text(cpus.parse(machine.get("nohz_full")))


def node_files(machine):
    """One directory a NUMA node. A machine without NUMA has none at all."""
    extra = cpus.parse(machine.get("node-cpulist"))
    ids = sorted(machine.nodes)
    for node in ids:
        members = set(machine.nodes[node]) & (set(machine.online) | set(extra))
        here = f"{NODE}/node{node}"
        yield f"{here}/cpulist", cpus.text(members)
        yield f"{here}/cpumap", cpus.mask(members, machine.width)
        yield f"{here}/distance", " ".join("10" if other == node else "21" for other in ids)
        yield f"{here}/meminfo", f"Node {node} MemTotal:       16777216 kB"
    if ids:
        yield f"{NODE}/online", cpus.text(ids)
        yield f"{NODE}/has_cpu", cpus.text(n for n in ids if set(machine.nodes[n]) & set(machine.online))


def host_files(machine):
    """What is said of the host as a whole."""
    model = machine.get("model", "unknown")
    yield "proc/cpuinfo", "\n".join(f"processor\t: {cpu}\nmodel name\t: {model}\n" for cpu in machine.online)
    yield "proc/meminfo", f"MemTotal:       {16777216 * max(1, len(machine.nodes))} kB"
    yield "proc/cmdline", machine.get("cmdline")
    yield "proc/sys/kernel/osrelease", machine.get("kernel")
    yield "proc/sys/kernel/arch", machine.get("arch", "x86_64")
    for name, value in machine.sysctls:
        yield "proc/sys/" + name.replace(".", "/"), value


def files(machine):
    """Every file of this module: (path, text)."""
    for part in (cpu_files, cpu_lists, node_files, host_files):
        yield from part(machine)
