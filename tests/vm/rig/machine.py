"""Reads the description of a machine: a few lines of words, in a .vm file or after `#:` at the head of a case.

    cpus 40  nodes 2  threads 1     nic igb node=1 name=uplink0     port node=0     append isolcpus=2-3
"""
from dataclasses import dataclass, fields, replace
from pathlib import Path

from . import paths

MODELS = ('igb', 'e1000e', 'virtio', 'vmxnet3')
FEATURES = ('netdevsim', 'steerd', 'irqbalance')


class MachineError(Exception):
    """A description that cannot be meant: FILE:LINE: why."""


@dataclass(frozen=True)
class Port:
    """An empty slot for hot-plug. A node of None hangs it where no NUMA node is known."""
    node: int | None = None


@dataclass(frozen=True)
class Nic(Port):
    """A network card in a slot of its own."""
    model: str = ''
    mac: str = ''
    queues: int = 1
    tap: bool = False
    name: str = ''

    @property
    def has_tap(self):
        """Only a tap device has several queues, and only a tap can be reached from the outside."""
        return self.tap or self.queues > 1


@dataclass(frozen=True)
class Machine:
    cpus: int = 2
    nodes: int = 1
    packages: int = 0
    threads: int = 1
    memory: int = 768
    limit: int = 240
    kernels: tuple = paths.KERNELS
    append: str = ''
    needs: tuple = ()
    add: tuple = ()
    nics: tuple = ()
    ports: tuple = ()

    @property
    def sockets(self):
        return self.packages or self.nodes

    @property
    def processors(self):
        """How many of the host's cores the machine keeps busy, for ctest. See README.md, "How long things take"."""
        return 2 if self.cpus > 8 else 1


def _number(word, value):
    if not value.isdecimal() or not int(value):
        raise ValueError(f'{word} takes a number from 1 up, not {value or "nothing"}')
    return int(value)


def _choice(word, value, among):
    if value not in among:
        raise ValueError(f"unknown {word} {value or '(none)'}; there are {', '.join(among)}")
    return value


def _option(word):
    """One option of a nic or port line as a field of it."""
    key, equals, value = word.partition('=')
    if key == 'node' and value.isdecimal():
        return {key: int(value)}
    if key == 'queues':
        return {key: _number(key, value)}
    if key in ('name', 'mac') and value:
        return {key: value}
    if key == 'tap' and not equals:
        return {key: True}
    raise ValueError(f'{word} is none of node=N queues=N name=NAME mac=MAC tap')


def _described(slot, words):
    for word in words:
        option = _option(word)
        if not set(option) <= {f.name for f in fields(slot)}:
            raise ValueError(f'{word} is for NICs; what is plugged into a port is known only when it is')
        slot = replace(slot, **option)
    return slot


def _nic(machine, words):
    model = _choice('NIC model', words[0] if words else '', MODELS)
    nic = Nic(model=model, mac=f'52:54:00:00:00:{len(machine.nics) + 1:02x}')
    return replace(machine, nics=(*machine.nics, _described(nic, words[1:])))


def _port(machine, words):
    return replace(machine, ports=(*machine.ports, _described(Port(), words)))


def _kernel(machine, words):
    return replace(machine, kernels=tuple(_choice('kernel', w, paths.KERNELS) for w in words))


def _needs(machine, words):
    return replace(machine, needs=tuple(_choice('feature', w, FEATURES) for w in words))


def _append(machine, words):
    return replace(machine, append=' '.join((machine.append, *words)).strip())


def _add(machine, words):
    return replace(machine, add=(*machine.add, *words))


def _machine(machine, words):
    file = paths.MACHINES / f"{' '.join(words)}.vm"
    if not file.exists():
        known = ', '.join(sorted(f.stem for f in paths.MACHINES.glob('*.vm'))) or 'none'
        raise ValueError(f"no machine {' '.join(words) or '(none)'}; there are {known}")
    return load(file, machine)


# Words that take the rest of their line, and words that take one number each (several of them fit in a line).
LINES = {'nic': _nic, 'port': _port, 'kernel': _kernel, 'needs': _needs, 'append': _append, 'add': _add,
         'machine': _machine}
NUMBERS = ('cpus', 'nodes', 'packages', 'threads', 'memory', 'limit')


def _line(machine, words):
    if words[0] in LINES:
        return LINES[words[0]](machine, words[1:])
    while words:
        word = _choice('word', words[0], (*NUMBERS, *LINES) if words[0] not in LINES else NUMBERS)
        machine = replace(machine, **{word: _number(word, words[1] if len(words) > 1 else '')})
        words = words[2:]
    return machine


def _verify(machine):
    for count, what in ((machine.nodes, 'nodes'), (machine.sockets * machine.threads, 'packages x threads')):
        if machine.cpus % count:
            raise ValueError(f'{machine.cpus} CPUs cannot be divided by {count} {what}')
    for nic in (*machine.nics, *machine.ports):
        if nic.node is not None and nic.node >= machine.nodes:
            raise ValueError(f'a NIC or port is on node {nic.node}, but there are {machine.nodes} nodes')
    for nic in machine.nics:
        if nic.model != 'virtio' and nic.queues > 1:
            raise ValueError(f'{nic.model} has the queues of its hardware; queues= is for virtio')
    return machine


def description(file):
    """The (line number, words) of a file that describe its machine."""
    marked = file.suffix != '.vm'
    for number, line in enumerate(file.read_text(errors='replace').splitlines(), start=1):
        if marked and not line.startswith('#:'):
            continue
        words = (line[2:] if marked else line.partition('#')[0]).split()
        if words:
            yield number, words


def load(file, machine=Machine()):
    """The machine that a .vm file or the head of a case describes."""
    file, number = Path(file), 0
    try:
        for number, words in description(file):
            machine = _line(machine, words)
        return _verify(machine)
    except ValueError as error:
        raise MachineError(f'{file}:{number}: {error}') from None
