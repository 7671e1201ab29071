"""Network devices of a machine as files and links of /sys, and what ethtool and netdev say of them (ethtool.json)."""
import json
import os

from . import cpus
from .describe import where

TYPES = {"bridge": "bridge", "bond": "bonding", "vlan": "802.1Q VLAN Support", "veth": "veth"}


class Link(str):
    """Where a symbolic link points, from the root of the tree."""


def device_dir(device):
    """The directory of the device behind a NIC, or None for a virtual one."""
    if "pci" in device.keys:
        bus = device.get("pci").split()[0]
        here = f"sys/devices/pci{bus[:bus.rindex(':')]}/{bus}"
        return f"{here}/{device.get('virtio')}" if "virtio" in device.keys else here
    if "device" in device.keys:
        return f"sys/devices/platform/{device.get('device').split()[0]}"
    return None


def net_dir(device):
    return f"{device_dir(device) or 'sys/devices/virtual'}/net/{device.name}"


def on_bus(directory, subsystem, driver):
    """The links between a device, its bus and its driver."""
    bus, name = f"sys/bus/{subsystem}", os.path.basename(directory)
    yield f"{bus}/devices/{name}", Link(directory)
    yield f"{directory}/subsystem", Link(bus)
    if driver:
        yield f"{directory}/driver", Link(f"{bus}/drivers/{driver}")
        yield f"{bus}/drivers/{driver}/{name}", Link(directory)


def pci_files(machine, device):
    """The PCI function of a NIC: identity, locality, and the vectors allocated to it."""
    bus, ids = device.get("pci").split()
    here = f"sys/devices/pci{bus[:bus.rindex(':')]}/{bus}"
    vendor, product = ids.split(":")
    driver = "virtio-pci" if "virtio" in device.keys else device.get("driver")
    yield f"{here}/vendor", f"0x{vendor}"
    yield f"{here}/device", f"0x{product}"
    yield f"{here}/numa_node", device.get("node", "-1")
    yield f"{here}/local_cpulist", cpus.text(machine.local(device))
    yield f"{here}/uevent", f"DRIVER={driver}\nPCI_ID={ids.upper()}\nPCI_SLOT_NAME={bus}"
    yield from on_bus(here, "pci", driver)
    for vector in device.vectors:
        if not vector.chip:
            yield f"{here}/msi_irqs/{vector.irq}", "msix"
    if "physfn" in device.keys:
        yield f"{here}/physfn", Link(device_dir(machine.device(device.get("physfn"))))


def hardware_files(machine, device):
    """The devices behind a NIC, and the links between it and them."""
    if "pci" in device.keys:
        yield from pci_files(machine, device)
    if "virtio" in device.keys:
        yield from on_bus(device_dir(device), "virtio", "virtio_net")
    elif "device" in device.keys:
        yield from on_bus(device_dir(device), device.get("device").split()[1], device.get("driver"))
    if device_dir(device):
        yield f"{net_dir(device)}/device", Link(device_dir(device))


def state_files(machine, device, ifindex):
    """What a netdev says of itself. carrier cannot be read while it is down."""
    here, (state, *speed) = net_dir(device), device.get("link", "up").split()
    slave = any(other.kind == "bond" and device.name in other.words for other in machine.devices)
    kind = {"bridge": "DEVTYPE=bridge\n", "bond": "DEVTYPE=bond\n", "vlan": "DEVTYPE=vlan\n"}.get(device.kind, "")
    yield f"sys/class/net/{device.name}", Link(here)
    yield f"{here}/ifindex", str(ifindex)
    yield f"{here}/type", "1"
    yield f"{here}/uevent", f"{kind}INTERFACE={device.name}\nIFINDEX={ifindex}"
    yield f"{here}/operstate", "up" if state == "up" else "down"
    yield f"{here}/flags", f"0x{0x1002 | device.up | slave << 11:x}"
    if device.up:
        yield f"{here}/carrier", "1" if state == "up" else "0"
    if state == "up" and speed:
        yield f"{here}/speed", speed[0]


def stack_files(machine, device):
    """Who lies above and below: the links that the kernel keeps for a bridge, a bond and a VLAN."""
    here = net_dir(device)
    ports = device.words if device.kind in ("bridge", "bond") else device.words[1:] if device.kind == "vlan" else []
    if device.kind == "bridge":
        yield f"{here}/bridge/stp_state", "0"
    if device.kind == "bond":
        yield f"{here}/bonding/slaves", " ".join(ports)
        yield f"{here}/bonding/mode", "802.3ad 4"
    for port in ports:
        lower = net_dir(machine.device(port))
        yield f"{here}/lower_{port}", Link(lower)
        yield f"{lower}/upper_{device.name}", Link(here)
        if device.kind in ("bridge", "bond"):
            yield f"{lower}/master", Link(here)
        if device.kind == "bridge":
            yield f"{lower}/brport/bridge", Link(here)
            yield f"{here}/brif/{port}", Link(f"{lower}/brport")


def queue_files(machine, device):
    """The queues. The kernel answers xps_cpus only where there are several tx queues."""
    here, rx, tx = f"{net_dir(device)}/queues", device.queues("rx"), device.queues("tx")
    rps, words = cpus.parse(device.get("rps")), device.get("xps").split()
    xps = {words[0]: words[1:]} if words else {}
    for i in range(rx):
        yield f"{here}/rx-{i}/rps_cpus", cpus.mask(rps, machine.width)
        yield f"{here}/rx-{i}/rps_flow_cnt", device.get("flows", "0")
    for i in range(tx):
        if tx > 1:
            yield f"{here}/tx-{i}/xps_cpus", cpus.mask(where(xps, i) or [], machine.width)
        else:
            yield f"{here}/tx-{i}/xps_rxqs", cpus.mask([], rx)


def on(word):
    return word.endswith("on")


def answers(device):
    """What ethtool and netdev answer about a device. What its driver does not have is absent."""
    said = {"driver": TYPES.get(device.kind) or device.get("driver")}
    if device.bus:
        said["bus-info"] = device.get("pci").split(" ")[0] or device.bus
    for key in ("channels", "rings"):
        if key in device.keys:
            pairs = {kind: value.split("/") for kind, value in device.pairs(key).items()}
            said[key] = {kind: {"max": int(most), "count": int(count)} for kind, (count, most) in pairs.items()}
    if "pause" in device.keys:
        said["pause"] = {kind: on(value) for kind, value in device.pairs("pause").items()}
    if "features" in device.keys:
        said["features"] = {name: {"active": on(value), "fixed": value.startswith("fixed")}
                            for name, value in device.pairs("features").items()}
    if "napi" in device.keys:
        served = [v for v in device.vectors if v.role in ("combined", "rx", "tx")]
        said["napi"] = [{"id": int(device.get("napi")) + i, "irq": v.irq,
                         "rx": [v.queue] if v.role != "tx" else [], "tx": [v.queue] if v.role != "rx" else []}
                        for i, v in enumerate(served)]
    return said


def loopback_files(machine):
    here = "sys/devices/virtual/net/lo"
    yield "sys/class/net/lo", Link(here)
    for name, value in (("ifindex", "1"), ("type", "772"), ("operstate", "unknown"), ("flags", "0x9"), ("carrier", "1"),
                        ("uevent", "INTERFACE=lo\nIFINDEX=1"), ("queues/rx-0/rps_cpus", cpus.mask([], machine.width)),
                        ("queues/rx-0/rps_flow_cnt", "0"), ("queues/tx-0/xps_rxqs", "0")):
        yield f"{here}/{name}", value


def files(machine):
    """Every file and link of this module: (path, text or Link)."""
    yield from loopback_files(machine)
    for number, device in enumerate(machine.devices, 2):
        for part in (hardware_files, stack_files, queue_files):
            yield from part(machine, device)
        yield from state_files(machine, device, number)
    said = {device.name: answers(device) for device in machine.devices}
    yield "ethtool.json", json.dumps(said, indent=1)
