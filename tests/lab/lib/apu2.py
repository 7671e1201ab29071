"""The APU2 router: three igb ports, many flows from one to the next; who of the four cores does the work, before steerd and after."""
from pathlib import Path

from . import cores
from .far import Endpoint, Failed, join, sh
from .guest import Guest

FLOWS, RATE, SECONDS = 2000, 12000, 4
EVEN = 0.10    # of the mean that a core may be off
NOBODY = '10.2.0.100'  # an address that the far end takes frames for, and drops

SET_UP = '''
for nic in enp1s0 enp2s0 enp3s0; do ip link set $nic up; done
for nic in enp1s0 enp2s0 enp3s0; do wait_carrier $nic; done
ip addr add 10.1.0.1/24 dev enp1s0
ip addr add 10.2.0.1/24 dev enp2s0
ethtool -N enp1s0 rx-flow-hash udp4 sdfn
# as a machine comes up without anybody's care: every interrupt on the first core
for nic in enp1s0 enp2s0 enp3s0; do for irq in $(irqs_of $nic); do echo 0 >/proc/irq/$irq/smp_affinity_list; done; done
'''


def spread(guest, client):
    """Each core's part of the packets of one flood."""
    before = cores.taken(guest)
    client.run(f'{Path(__file__).parent}/flood.py {NOBODY} {FLOWS} {RATE} {SECONDS}')
    shares, packets = cores.parts(before, cores.taken(guest))
    if packets < RATE * SECONDS / 4:
        raise Failed(f'the router took {packets} packets of {RATE * SECONDS}')
    return shares


def run(args):
    ends = Endpoint('left'), Endpoint('right')
    problems = []
    try:
        with Guest(Path(__file__).parents[1] / 'apu2.vm', args.kernel) as guest:
            for i, (end, net) in enumerate(zip(ends, ('10.1.0', '10.2.0'))):
                end.connect(guest.pid, f'end{i}', f'{net}.2', f'{net}.1')
                join(guest.pid, f'cable{i}', f'end{i}', f'n{i}')
            sh(f'nsenter -n -t {guest.pid} ip link set n2 up')
            guest.run('set -e' + SET_UP + 'echo 1 >/proc/sys/net/ipv4/ip_forward')
            address = ends[1].run('ip -o link show e0').split('link/ether ')[1].split()[0]
            guest.run(f'ip neigh add {NOBODY} lladdr {address} dev enp2s0')
            print(f'{FLOWS} flows from port 1 to port 2, packets taken by each core:')
            before = spread(guest, ends[0])
            cores.tell('all on core 0', before)
            guest.run('steerd --once --policy /etc/steerd/apu2.ini && for nic in enp1s0 enp2s0; do wait_carrier $nic; done')
            after = spread(guest, ends[0])
            cores.tell('with apu2.ini', after)
            mean = 1 / len(after)
            if before[0] < 0.95:
                problems.append('core 0 was not alone before')
            if max(abs(p - mean) for p in after) > EVEN * mean:
                problems.append(f'the cores are not even within {100 * EVEN:.0f} %')
    finally:
        for end in ends:
            end.close()
    for text in problems:
        print(f'FAILED: {text}')
    return 1 if problems else 0
