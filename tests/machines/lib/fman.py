"""NXP's Frame Manager: what its drivers say of the ports, and on NXP's kernel the files of fmc."""
from .network import net_dir

QUEUES = 128


def address(mac):
    """Where the registers of a MAC are: ten of them, the last two further on."""
    return 0x1AE0000 + (mac - 1) * 0x2000 if mac < 9 else 0x1AF0000 + (mac - 9) * 0x2000


def port_files(machine, device):
    """Attributes of a port (dpaa_eth_sysfs.c, and sdk_dpaa/dpaa_eth_sysfs.c which has a type too)."""
    mac, first = (int(word, 0) for word in device.get("mac").split())
    here, sdk = net_dir(device), machine.get("fmc") == "sdk"
    last = first + QUEUES - 1
    yield f"{here}/device_addr", f"{address(mac):x}"
    yield f"{here}/fqids", f"Rx error: 260\nRx default: 261\nRx PCD: {first} - {last}\nTx confirmation (mq): 262 - 265"
    if sdk:
        yield f"{here}/device_type", "DPAA"


def files(machine):
    """Every file of this module: (path, text)."""
    for device in machine.devices:
        if device.get("mac"):
            yield from port_files(machine, device)
    if machine.get("fmc") == "sdk":
        yield "dev/fm0", ""
        yield "usr/local/bin/fmc", ""
        yield "etc/fmc/config/hxs_pdl_v3.xml", "<netpdl/>"
