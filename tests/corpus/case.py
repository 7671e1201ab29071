"""One case of the corpus: rows of /proc/interrupts as they were published, the NICs of that host, and what each row is.

CASE.txt      "#" comments, "#!" directives, rows
    #! ncpu N                      count columns of a numbered row
    #! netdev NAME DRIVER BUS      a NIC; NAME is @BUS where the source gives none, DRIVER and BUS are - likewise
    #! msi BUS IRQ=INDEX ...       the vectors that the row itself shows to be of the PCI function BUS
    #! msi-inferred ...            the same, but inferred from a neighbouring row
CASE.expect   "IRQ NETDEV ROLE QUEUE  # why"; a line that several NICs share is there several times
    ROLE   rx, tx, combined, control, or other-device; QUEUE - for none, several or not knowable
    why    "needs ..." means that the text alone cannot tell, so that unknown is right too
"""
import collections
import pathlib
import re

Netdev = collections.namedtuple("Netdev", "label name driver bus")
Expected = collections.namedtuple("Expected", "irq label role queue why")


class Case:
    def __init__(self, path):
        self.path = pathlib.Path(path).with_suffix(".txt")
        self.ncpu, self.netdevs, self.msi, self.rows, self.header = 1, [], {}, [], None
        for line in self.path.read_text().splitlines():
            if line.startswith("#!"):
                self.directive(*line.split()[1:])
            elif line.lstrip().startswith("CPU"):
                self.header = line
            elif line.strip() and not line.startswith("#"):
                self.rows.append(line)
        self.header = self.header or " " * 11 + "".join(f"CPU{cpu:<8}" for cpu in range(self.ncpu))

    def directive(self, word, *values):
        if word == "ncpu":
            self.ncpu = int(values[0])
        elif word == "netdev":
            label, driver, bus = values
            named = not label.startswith("@") and label != "-"
            self.netdevs.append(Netdev(label, label if named else f"port{len(self.netdevs)}", driver, bus))
        elif word.startswith("msi"):
            self.msi.setdefault(values[0], []).extend(int(pair.split("=")[0]) for pair in values[1:])

    def numbers(self):
        """The interrupts that have a row."""
        return [int(m[1]) for m in (re.match(r"\s*(\d+):", row) for row in self.rows) if m]

    def interfaces(self, label):
        """The interface names that a label of .expect may mean."""
        return {netdev.name for netdev in self.netdevs if label in (netdev.label, "@" + netdev.bus)}

    def expected(self):
        for line in self.path.with_suffix(".expect").read_text().splitlines():
            body, _, why = line.partition("#")
            if body.strip():
                irq, label, role, queue = body.split()
                yield Expected(int(irq), label, role, None if queue == "-" else int(queue), why.strip())
