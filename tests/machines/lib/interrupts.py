"""/proc/interrupts and /proc/irq of a machine, as the kernel prints them (kernel/irq/proc.c). Decides no vector."""
from . import cpus


def hwirq(bus, index):
    """The hardware number of an MSI vector: index, device and function, bus, PCI domain."""
    domain, number, place = bus.split(":")
    slot, function = place.split(".")
    return index | (int(number, 16) << 8 | int(slot, 16) << 3 | int(function)) << 11 | int(domain, 16) << 27


def release(machine):
    return tuple(int(n) for n in machine.get("kernel").split("-")[0].split(".")[:2])


def columns(chip, number, trigger, digits):
    """The columns between the counts and the action: chip, hardware number, trigger ("-edge" is glued to the number)."""
    return f" {chip:>8} {number:>{digits}}{trigger:<9}"


def msi(machine, device, vector, digits):
    """The same of a message-signalled vector. Kernels from 6.2 name the function on x86, others fold it into the number."""
    bus, chip = device.get("pci").split(" ")[0], machine.get("msi", "IR-PCI-MSI")
    if not chip.endswith("PCI-MSI"):
        return columns(chip, hwirq(bus, vector.index), " Edge", digits)
    if release(machine) >= (6, 2):
        return columns(f"{chip}X-{bus}", vector.index, "-edge", digits)
    return columns(chip, hwirq(bus, vector.index), "-edge", digits)


def other(text, digits):
    """The columns of a line that is no NIC's: "CHIP NUMBER Level ACTION" or "CHIP NUMBER-edge ACTION"."""
    chip, number, rest = text.split(None, 2)
    number, dash, trigger = number.partition("-")
    if not dash:
        trigger, rest = rest.split(None, 1)
    return columns(chip, number, (dash or " ") + trigger, digits) + f"  {rest}"


def effective(machine, vector):
    """The one CPU where a vector fires: some CPU of its mask that is online."""
    able = [c for c in sorted(vector.affinity) if c in set(machine.online)] or machine.online
    return able[vector.index % len(able)]


def table(machine):
    """/proc/interrupts: columns are the online CPUs, so a column's number is not a CPU's."""
    digits = int(machine.get("prec", "3"))
    lines = [" " * (digits + 8) + "".join(f"CPU{cpu:<8}" for cpu in machine.online)]

    def row(irq, at, count, rest):
        counts = "".join(f"{count if cpu == at else 0:10} " for cpu in machine.online)
        return f"{irq:>{digits}}: {counts}{rest}"

    rows = {int(irq): row(irq, machine.online[0], 7, other(rest, digits)) for irq, rest in machine.rows if irq.isdigit()}
    for name, cpu, irq, chip, hardware in machine.portals:
        rows[irq] = row(irq, cpu, 1000, f"{columns(chip, hardware, ' Level', digits)}  {name}")
    for device in machine.devices:
        for v in device.vectors:
            if v.requested:
                rest = columns(*v.chip, digits) if v.chip else msi(machine, device, v, digits)
                rows[v.irq] = row(v.irq, effective(machine, v), 1000 + 17 * v.irq, f"{rest}  {v.name}")
    lines += [rows[irq] for irq in sorted(rows)]
    lines += [row(name, None, 0, f" {rest}") for name, rest in machine.rows if not name.isdigit()]
    return "\n".join(lines)


def files(machine):
    """Every file of this module: (path, text)."""
    yield "proc/interrupts", table(machine)
    for irq, _ in machine.rows:
        if irq.isdigit():
            yield f"proc/irq/{irq}/smp_affinity_list", cpus.text(machine.online)
            yield f"proc/irq/{irq}/effective_affinity_list", str(machine.online[0])
    for _, cpu, irq, _, _ in machine.portals:
        yield f"proc/irq/{irq}/smp_affinity_list", str(cpu)
        yield f"proc/irq/{irq}/effective_affinity_list", str(cpu)
    for device in machine.devices:
        for v in device.vectors:
            if v.requested:
                yield f"proc/irq/{v.irq}/smp_affinity_list", cpus.text(v.affinity)
                yield f"proc/irq/{v.irq}/effective_affinity_list", str(effective(machine, v))
