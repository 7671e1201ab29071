"""Who of a guest's cores took the packets."""


def taken(guest):
    """Packets that each core took so far, from a NIC or from another core's backlog."""
    return [int(line.split()[0], 16) for line in guest.run('cat /proc/net/softnet_stat').splitlines()]


def parts(before, after):
    """Each core's part of what was taken in between; and how many that were."""
    counted = [b - a for a, b in zip(before, after)]
    return [c / max(sum(counted), 1) for c in counted], sum(counted)


def tell(what, shares):
    print(f'  {what:36}' + '  '.join(f'{100 * s:3.0f} %' for s in shares), flush=True)
