"""Endpoint, gateway, gateway, endpoint, as the boards with DPAA were measured: by a chain of routers and by bridges; all work on one
core, as their single core-affined queue has it, and spread over the cores.

There is no DPAA here: the gateways' ports have one queue each, and what fmc does on the board is done by RPS."""
from contextlib import ExitStack
from pathlib import Path

from . import cores
from .far import Endpoint, join, sh, tcp
from .guest import Guest

SECONDS, STREAMS = 2, 32
ALONE = 0.95  # of the packets, on the one core
PART = 0.1    # at least, on each core when they are spread

SINGLE = '[nic ports]\nmatch.name = eth4 eth5\nirq = 0\nrps = off\n'
SPREAD = '[nic ports]\nmatch.name = eth4 eth5\nirq = 0\nrps = all\n'

UP = '''
for nic in eth4 eth5; do ip link set $nic up; done
for nic in eth4 eth5; do wait_carrier $nic; done
for nic in eth4 eth5; do ethtool -K $nic gro off tso off gso off; done
'''
BRIDGE = '''
for nic in eth4 eth5; do ip addr flush dev $nic; done
echo 0 >/proc/sys/net/ipv4/ip_forward
ip link add br0 type bridge forward_delay 0
for nic in eth4 eth5; do ip link set $nic master br0; done
ip link set br0 up
'''


def route(first, second, _):
    """10.1 - [first] - 10.9 - [second] - 10.2"""
    for guest, outer, inner, far, gateway, outward, inward in (
            (first, '10.1.0.1', '10.9.0.1', '10.2.0.0', '10.9.0.2', 'eth4', 'eth5'),
            (second, '10.2.0.1', '10.9.0.2', '10.1.0.0', '10.9.0.1', 'eth5', 'eth4')):
        guest.run(f'echo 1 >/proc/sys/net/ipv4/ip_forward; ip addr add {outer}/24 dev {outward}; '
                  f'ip addr add {inner}/24 dev {inward}; ip route add {far}/24 via {gateway}')


def bridge(first, second, ends):
    for guest in (first, second):
        guest.run(BRIDGE)
    for end, address in zip(ends, ('10.5.0.1', '10.5.0.2')):
        end.run(f'ip addr flush dev e0; ip addr add {address}/24 dev e0')


def wire(first, second, ends):
    """The cables: end - first's eth4, first's eth5 - second's eth4, second's eth5 - end."""
    sh(f'nsenter -n -t {first.pid} ip link set n1 netns {second.pid} name between')
    join(second.pid, 'middle', 'between', 'n0')
    ends[0].connect(first.pid, 'end', '10.1.0.2', '10.1.0.1')
    join(first.pid, 'left', 'end', 'n0')
    ends[1].connect(second.pid, 'end', '10.2.0.2', '10.2.0.1')
    join(second.pid, 'right', 'end', 'n1')


def steer(guests, policy):
    for guest in guests:
        guest.run(f"cat >/tmp/lab.ini <<'END'\n{policy}END\nsteerd --once --policy /tmp/lab.ini")


def measure(guests, ends, address):
    """(Mb/s, each gateway's shares)"""
    before = [cores.taken(g) for g in guests]
    speed = tcp(ends[0], ends[1], address, SECONDS, STREAMS)
    return speed, [cores.parts(b, cores.taken(g))[0] for b, g in zip(before, guests)]


def run(args):
    problems = []
    with ExitStack() as stack:
        ends = Endpoint('left'), Endpoint('right')
        for end in ends:
            stack.callback(end.close)
        guests = [stack.enter_context(Guest(Path(__file__).parents[1] / 'gateway.vm', args.kernel)) for _ in ends]
        wire(*guests, ends)
        for guest in guests:
            guest.run('set -e' + UP)
        for name, arrange, address in (('router chain', route, '10.2.0.2'), ('bridge', bridge, '10.5.0.2')):
            arrange(*guests, ends)
            steer(guests, SINGLE)
            measure(guests, ends, address)  # the first one learns addresses
            alone, shares = measure(guests, ends, address)
            for i, parts in enumerate(shares):
                cores.tell(f'{name}, one core, gateway {i + 1}', parts)
                if parts[0] < ALONE:
                    problems.append(f'{name}, gateway {i + 1}: core 0 took {parts[0]:.2f} of the packets when it should be alone')
            steer(guests, SPREAD)
            spread, shares = measure(guests, ends, address)
            for i, parts in enumerate(shares):
                cores.tell(f'{name}, spread, gateway {i + 1}', parts)
                if min(parts) < PART:
                    problems.append(f'{name}, gateway {i + 1}: a core took {min(parts):.2f} of the packets when all should')
            print(f"  {name}: spread carries {spread / alone:.2f} of one core; the emulated cores of both share this host's", flush=True)
    for text in problems:
        print(f'FAILED: {text}')
    return 1 if problems else 0
