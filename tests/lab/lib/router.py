"""A router in a guest: VLANs 1 and 2 of eth0, br-lan, NAT; and the settings and counters that a measurement needs."""
import re
from collections import namedtuple

Counters = namedtuple('Counters', 'softirq net_rx processed slow')

SET_UP = '''
modprobe -a 8021q bridge nf_tables nft_masq nft_chain_nat nft_flow_offload nf_flow_table nf_flow_table_inet nft_ct
ip link set eth0 up
ip link add link eth0 name eth0.1 type vlan id 1
ip link add link eth0 name eth0.2 type vlan id 2
ip link add br-lan type bridge
ip link set eth0.1 master br-lan up
ip link set br-lan up
ip link set eth0.2 up
ip addr add 10.1.0.1/24 dev br-lan
ip addr add 10.2.0.1/24 dev eth0.2
echo 1 >/proc/sys/net/ipv4/ip_forward
wait_carrier eth0
wait_carrier br-lan
for irq in $(irqs_of eth0); do echo 0 >/proc/irq/$irq/smp_affinity_list; done
# as on a Northstar: no checksums by hardware, and GRO as it was off there
ethtool -K eth0 rx off tx off tso off gso off sg off gro off
'''

RULES = '''table inet fw {{
    {flowtable}
    chain pass {{ type filter hook forward priority 0; policy accept; counter; {offload} ct state established,related accept; }}
    chain nat {{ type nat hook postrouting priority 100; oifname "eth0.2" masquerade; }}
}}
'''


class Router:
    def __init__(self, guest):
        self.guest = guest
        guest.run('set -e' + SET_UP + 'set +e')

    def offload(self, on, devices='eth0'):
        """Firewall rules with software flow offloading or without."""
        flowtable = f'flowtable ft {{ hook ingress priority 0; devices = {{ {devices} }}; }}' if on else ''
        rules = RULES.format(flowtable=flowtable, offload='meta l4proto { tcp, udp } flow add @ft;' if on else '')
        self.guest.run(f"nft flush ruleset && nft -f - <<'END'\n{rules}END")

    def masks(self):
        """rps_cpus of (eth0, br-lan)."""
        files = [f'/sys/class/net/{d}/queues/rx-0/rps_cpus' for d in ('eth0', 'br-lan')]
        return tuple(int(m, 16) for m in self.guest.run('cat ' + ' '.join(files)).split())

    def set_masks(self, eth0, bridge):
        self.guest.run(f'echo {eth0:x} >/sys/class/net/eth0/queues/rx-0/rps_cpus; '
                       f'echo {bridge:x} >/sys/class/net/br-lan/queues/rx-0/rps_cpus')

    def counters(self):
        """So far, a value a CPU: softirq ticks and all ticks, NET_RX softirqs, packets taken from a backlog or a NAPI; and the
        packets that went through the forward chain, which offloaded ones do not."""
        text = self.guest.run('head -3 /proc/stat; grep NET_RX /proc/softirqs; cat /proc/net/softnet_stat; nft list chain inet fw pass')
        ticks = [list(map(int, line.split()[1:])) for line in re.findall(r'^cpu\d .*$', text, re.M)]
        net_rx = list(map(int, re.search(r'NET_RX:(.*)', text)[1].split()))
        processed = [int(first, 16) for first in re.findall(r'^([0-9a-f]{8}) ', text, re.M)]
        slow = re.search(r'counter packets (\d+)', text)
        return Counters([(t[6], sum(t[:8])) for t in ticks], net_rx, processed, int(slow[1]) if slow else 0)


def between(before, after):
    """What happened between two readings: softirq as a share of each CPU's time."""
    share = [(b[0] - a[0]) / max(b[1] - a[1], 1) for a, b in zip(before.softirq, after.softirq)]
    minus = lambda a, b: [y - x for x, y in zip(a, b)]  # noqa: E731
    return Counters(share, minus(before.net_rx, after.net_rx), minus(before.processed, after.processed), after.slow - before.slow)
