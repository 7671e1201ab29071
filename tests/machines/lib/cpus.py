"""CPU lists and masks as the kernel reads and prints them. Knows nothing of machines."""


def parse(text):
    """The CPUs of a kernel list in the order it names them: "4-6,0-8:1/4" gives 4 5 6 0 4 8."""
    cpus = []
    for part in filter(None, text.split(",")):
        span, _, stride = part.partition(":")
        first, _, last = span.partition("-")
        used, _, group = stride.partition("/")
        used, group = (int(used), int(group)) if stride else (1, 1)
        cpus += [n for n in range(int(first), int(last or first) + 1) if (n - int(first)) % group < used]
    return cpus


def text(cpus):
    """The list form, as %*pbl prints it: 0-3,8."""
    spans = []
    for cpu in sorted(set(cpus)):
        if spans and spans[-1][1] == cpu - 1:
            spans[-1][1] = cpu
        else:
            spans.append([cpu, cpu])
    return ",".join(f"{a}-{b}" if a != b else f"{a}" for a, b in spans)


def mask(cpus, width):
    """The mask form for ids below width, as %*pb prints it: comma groups of 32 bits, the first one shortened."""
    bits = sum(1 << cpu for cpu in set(cpus))
    groups = []
    for low in range(0, width, 32):
        digits = (min(32, width - low) + 3) // 4
        groups.append(f"{bits >> low & 0xFFFFFFFF:0{digits}x}")
    return ",".join(reversed(groups))
