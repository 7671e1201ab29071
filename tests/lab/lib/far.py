"""The endpoints on the far side of a router's cable: a namespace each, plain 1500-byte frames, real checksums."""
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PORT = 5201


class Failed(Exception):
    """What the lab needs did not happen."""


def sh(command, check=True):
    done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if check and done.returncode:
        raise Failed(f'{command}\n{done.stdout}')
    return done.stdout


class Endpoint:
    """A network namespace with one device e0, for as long as a process of ours holds it."""

    def __init__(self, name):
        self.name = name
        self.holder = subprocess.Popen(['unshare', '-n', 'setpriv', '--pdeathsig', 'KILL', 'sh', '-c', 'echo; exec sleep 86400'],
                                       stdout=subprocess.PIPE)
        self.holder.stdout.readline()

    def words(self):
        return f'nsenter -n -t {self.holder.pid} '

    def run(self, command, check=True):
        return sh(self.words() + f"sh -c '{command}'", check)

    def connect(self, pid, cable, address, gateway):
        """A veth pair; `cable` is its end in the namespace of process pid."""
        sh(f'nsenter -n -t {pid} ip link add {cable} type veth peer name e0 netns {self.holder.pid}')
        sh(f'nsenter -n -t {pid} ip link set {cable} up')
        self.run('sysctl -qw net.ipv6.conf.all.disable_ipv6=1')
        self.run(f'ip link set lo up; ip link set e0 up; ip addr add {address}/24 dev e0; ip route add default via {gateway}')
        self.run('ethtool -K e0 tso off gso off gro off tx off rx off', check=False)

    def received(self):
        """Packets so far."""
        return json.loads(self.run('ip -s -j link show e0'))[0]['stats64']['rx']['packets']

    def close(self):
        self.holder.kill()
        self.holder.wait()


def tcp(client, server, address, seconds, streams=1):
    """Mb/s from one endpoint to the other's address, the first second left out."""
    listener = subprocess.Popen((server.words() + f'iperf3 -s -1 -p {PORT} --forceflush').split(), stdout=subprocess.PIPE, text=True)
    try:
        for line in listener.stdout:
            if 'listening' in line:
                break
        said = client.run(f'timeout {seconds + 15} iperf3 -c {address} -p {PORT} -t {seconds} -O 1 -P {streams} -J', check=False)
    finally:
        listener.kill()
        listener.wait()
    try:
        return json.loads(said)['end']['sum_received']['bits_per_second'] / 1e6
    except (ValueError, KeyError) as problem:
        raise Failed(f'no TCP connection to {address}: {said}') from problem


def join(pid, bridge, *ports):
    """One cable of several ends, in the namespace of process pid."""
    inside = f'nsenter -n -t {pid} '
    sh(inside + f'ip link add {bridge} type bridge forward_delay 0')
    for port in (*ports, bridge):
        sh(inside + f'ip link set {port} up' + ('' if port == bridge else f' master {bridge}'))


class Lan:
    """A client in VLAN 1 and a server in VLAN 2 of the one cable n0."""

    def __init__(self):
        self.client, self.server = Endpoint('lan'), Endpoint('wan')

    def connect(self, pid):
        inside = f'nsenter -n -t {pid} '
        sh(inside + 'sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1 net.ipv4.ip_forward=0')
        self.client.connect(pid, 'lan', '10.1.0.2', '10.1.0.1')
        self.server.connect(pid, 'wan', '10.2.0.2', '10.2.0.1')
        sh(inside + 'ip link set n0 txqueuelen 1000 up')
        with tempfile.TemporaryDirectory() as scratch:
            indexes = {}
            for name in ('n0', 'lan', 'wan'):
                indexes[name] = re.match(r'(\d+):', sh(inside + f'ip -o link show {name}'))[1]
            sh(f'clang -O2 -Wall -Werror -target bpf -DROUTER={indexes["n0"]} -DLAN={indexes["lan"]} -DWAN={indexes["wan"]} '
               f'-c {HERE}/tag.bpf.c -o {scratch}/tag.o')
            for name, section in (('n0', 'router'), ('lan', 'lan'), ('wan', 'wan')):
                sh(inside + f'tc qdisc add dev {name} clsact')
                sh(inside + f'tc filter add dev {name} ingress bpf direct-action object-file {scratch}/tag.o section {section}')

    def close(self):
        self.client.close()
        self.server.close()


def why_not():
    """None when endpoints can be had here, else why not."""
    for program in ('clang', 'iperf3', 'tc', 'nsenter', 'ethtool'):
        if not shutil.which(program):
            return f'{program} is not installed'
    tried = subprocess.run(['unshare', '-n', 'true'], capture_output=True)
    return None if tried.returncode == 0 else 'not root: no network namespaces'
