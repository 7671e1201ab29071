#!/usr/bin/env python3
"""Checks the parts of the rig that need no machine: sources, descriptions, command lines, archives, filters."""
import importlib.machinery
import importlib.util
import io
import lzma
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

VM = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(VM))

from rig import apt, kernel, machine, monitor, qemu  # noqa: E402
from rig.archive import Archive  # noqa: E402


def script(name):
    """A program without a suffix, as a module."""
    loader = importlib.machinery.SourceFileLoader(name, str(VM / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def described(text, name='case.sh'):
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / name
        file.write_text(text)
        return machine.load(file)


def awk(program, text):
    words = ['busybox', 'awk'] if shutil.which('busybox') else ['awk']
    return subprocess.run([*words, '-f', VM / 'guest' / program], input=text, capture_output=True, text=True,
                          check=True).stdout.splitlines()


class Sources(unittest.TestCase):
    def test_one_line_format(self):
        text = ('# deb http://old.example/debian bookworm main\n'
                'deb [arch=amd64,i386 signed-by=/usr/share/keyrings/k.gpg] http://m.example/debian bookworm main contrib # x\n'
                'deb-src http://m.example/debian bookworm main\n')
        self.assertEqual(apt.parse_one_line(text), [
            {'Types': 'deb', 'URIs': 'http://m.example/debian', 'Suites': 'bookworm', 'Components': 'main contrib',
             'Architectures': 'amd64 i386', 'Signed-By': '/usr/share/keyrings/k.gpg'}])

    def test_deb822_format(self):
        text = ('types: deb deb-src\n# a comment within the stanza\nURIs: mirror+file:/etc/apt/mirrors/debian.list\n'
                'Suites: trixie trixie-updates\nComponents: main\nSigned-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n'
                ' mQINBF\n\n\nTypes: deb\nURIs: http://m.example\nSuites: off\nComponents: main\nEnabled: no\n')
        stanzas = apt.parse_deb822(text)
        self.assertEqual(len(stanzas), 1)
        self.assertEqual(stanzas[0]['Suites'], 'trixie trixie-updates')
        self.assertEqual(stanzas[0]['Signed-By'], '\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINBF')
        self.assertEqual(apt.parse_deb822(apt.format_deb822(stanzas)), stanzas)

    def test_backports_come_from_the_release_s_own_archive(self):
        release = {'Types': 'deb', 'URIs': 'http://m.example/debian', 'Suites': 'bookworm bookworm-updates',
                   'Components': 'main', 'Signed-By': '/k.gpg'}
        security = {**release, 'URIs': 'http://s.example/security', 'Suites': 'bookworm-security'}
        foreign = {**release, 'URIs': 'http://node.example', 'Suites': 'nodistro'}
        found = apt.debian_stanzas([foreign, security, release], 'bookworm')
        self.assertEqual([s['Suites'] for s in found],
                         ['bookworm-security', 'bookworm bookworm-updates', 'bookworm-backports'])
        self.assertEqual((found[2]['URIs'], found[2]['Signed-By']), ('http://m.example/debian', '/k.gpg'))

    def test_backports_that_are_there_are_kept_and_required(self):
        stanza = {'Types': 'deb', 'URIs': 'http://m.example', 'Suites': 'trixie trixie-backports', 'Components': 'main'}
        self.assertEqual(apt.debian_stanzas([stanza], 'trixie'), [stanza])


class Kernels(unittest.TestCase):
    def test_only_the_plain_image_of_that_kernel(self):
        names = ('linux-image-6.1.0-57-amd64', 'linux-image-6.1.0-57-amd64-unsigned', 'linux-image-6.1.0-57-rt-amd64',
                 'linux-image-6.1.0-57-cloud-amd64', 'linux-image-6.12.95+deb12-amd64', 'linux-image-6.12.9+deb13.1-amd64')
        match = kernel.re.fullmatch
        self.assertEqual([n for n in names if match(kernel.package_pattern('6.1'), n)], [names[0]])
        self.assertEqual([n for n in names if match(kernel.package_pattern('6.12'), n)], [names[4], names[5]])

    @unittest.skipUnless(shutil.which('xz'), 'no xz')
    def test_the_image_within_a_bzimage(self):
        payload = lzma.compress(b'\x7fELF and more') + struct.pack('<I', 13)
        head = bytearray(3 * 512)
        head[0x1f1] = 2
        struct.pack_into('<II', head, 0x248, 16, len(payload))
        self.assertEqual(kernel.vmlinux_of(bytes(head) + b'x' * 16 + payload), b'\x7fELF and more')


class Machines(unittest.TestCase):
    def test_a_whole_description(self):
        m = described('#!/bin/sh\n# prose: cpus 3\n#: cpus 40  nodes 2  threads 2\n#: nic igb node=1 name=up0\n'
                      '#: nic virtio queues=40 node=0\n#: port node=1\n#: kernel 6.12\n#: append isolcpus=2-3 quiet\n')
        self.assertEqual((m.cpus, m.nodes, m.threads, m.kernels), (40, 2, 2, ('6.12',)))
        self.assertEqual([(n.model, n.node, n.queues, n.name) for n in m.nics],
                         [('igb', 1, 1, 'up0'), ('virtio', 0, 40, '')])
        self.assertEqual((m.ports[0].node, m.append), (1, 'isolcpus=2-3 quiet'))

    def test_a_mistake_is_named_with_its_line(self):
        for text, words in (('#: cups 4', 'case.sh:1: unknown word cups'),
                            ('\n#: cpus many', 'case.sh:2: cpus takes a number'),
                            ('#: nic igp', 'unknown NIC model igp; there are igb'),
                            ('#: nic igb queues=4', 'queues= is for virtio'),
                            ('#: cpus 4 nodes 3', '4 CPUs cannot be divided by 3 nodes'),
                            ('#: nic igb node=1', 'on node 1, but there are 1 nodes'),
                            ('#: port queues=3', 'what is plugged into a port'),
                            ('#: machine nowhere', 'no machine nowhere'),
                            ('#: cpus', 'cpus takes a number')):
            with self.subTest(text), self.assertRaises(machine.MachineError) as raised:
                described(text)
            self.assertIn(words, str(raised.exception))

    def test_every_shipped_description_can_be_read(self):
        files = [*(VM / 'cases').glob('*.sh'), *(VM / 'machines').glob('*.vm')]
        self.assertGreater(len(files), 1)
        for file in files:
            machine.load(file)


class CommandLine(unittest.TestCase):
    def arguments(self, text):
        sockets = io.open('/dev/null')
        self.addCleanup(sockets.close)
        return ' '.join(qemu.arguments(described(text), '6.12', 'initrd', sockets, sockets))

    def test_nodes_slots_and_queues(self):
        line = self.arguments('#: cpus 40 nodes 2\n#: nic igb node=1\n#: nic virtio queues=40 node=0\n#: nic e1000e\n#: port node=1')
        self.assertIn('-smp 40,sockets=2,cores=20,threads=1', line)
        self.assertIn('node,nodeid=1,cpus=20-39,memdev=ram1', line)
        self.assertEqual(line.count('pxb-pcie'), 2)
        self.assertIn('pcie-root-port,id=slot2,bus=pcie.0,chassis=3,slot=3', line)
        self.assertIn('pcie-root-port,id=hp0,bus=node1,chassis=4,slot=4', line)
        self.assertIn('tap,id=n1,ifname=n1,script=no,downscript=no,queues=40', line)
        self.assertIn('mq=on,vectors=82', line)

    def test_exit_status(self):
        self.assertEqual([qemu.exit_status(s) for s in (1, 3, 155, 0, -9, 2)], [0, 1, 77, None, None, None])


class Archives(unittest.TestCase):
    @unittest.skipUnless(shutil.which('busybox'), 'no busybox to read it')
    def test_busybox_reads_it(self):
        archive = Archive()
        archive.text('/bin/x', 'seven b', 0o755)
        archive.link('/lib/y', '../z')
        with tempfile.TemporaryDirectory() as scratch:
            with open(f'{scratch}/a.cpio', 'wb') as out:
                archive.write(out)
            with open(f'{scratch}/a.cpio', 'rb') as source:
                subprocess.run(['busybox', 'cpio', '-id'], stdin=source, cwd=scratch, check=True, capture_output=True)
            made = Path(scratch) / 'usr'
            self.assertEqual((made / 'bin/x').read_text(), 'seven b')
            self.assertEqual((made / 'bin/x').stat().st_mode & 0o777, 0o755)
            self.assertEqual(str((made / 'lib/y').readlink()), '../z')


class Filters(unittest.TestCase):
    def test_masks(self):
        text = '00,0000000f\n0\nff\n!\n00,00100005\n80000000,00000001\n'
        self.assertEqual(awk('masks.awk', text), ['0-3 - 0-7 ! 0,2,20 0,63'])

    def test_writes(self):
        generic = ('7  sendto(3<NETLINK:[GENERIC:7]>, [{nlmsg_len=32, nlmsg_type=%s, nlmsg_flags=NLM_F_REQUEST, nlmsg_seq=1, '
                   'nlmsg_pid=0}, "%s\\x01\\x00\\x00"], 32, 0, {sa_family=AF_NETLINK}, 12) = 32\n')
        text = (
            '7  openat(AT_FDCWD</>, "/proc/irq/29/smp_affinity_list", O_WRONLY|O_TRUNC) = 3</proc/irq/29/smp_affinity_list>\n'
            '7  write(3</proc/irq/29/smp_affinity_list>, "3\\n", 2) = 2\n'
            '7  openat(5</>, "proc/irq/30/smp_affinity_list", O_WRONLY|O_CLOEXEC) = 8</proc/irq/30/smp_affinity_list>\n'
            '7  openat(6</sys/class>, "net/x", O_RDWR) = -1 EACCES (Permission denied)\n'
            '7  openat(AT_FDCWD</>, "/etc/x", O_WRONLY) = 3</etc/x>\n'
            '7  openat(AT_FDCWD</>, "/sys/class/net", O_RDONLY|O_CLOEXEC) = 3</sys/class/net>\n'
            '7  write(1</dev/null<char 1:3>>, "/sys/", 5) = 5\n'
            + generic % ('nlctrl', '\\x03') + generic % ('ethtool', '\\x11') + generic % ('ethtool', '\\x12')
            + generic % ('ethtool', '\\x63') + generic % ('netdev', '\\x0b')
            + '7  sendmsg(3<NETLINK:[ROUTE:7]>, {msg_iov=[{iov_base=[{nlmsg_len=40, nlmsg_type=RTM_GETLINK, nlmsg_flags=0}]}]}, 0) = 40\n'
            + '7  sendmsg(3<NETLINK:[ROUTE:7]>, {msg_iov=[{iov_base=[{nlmsg_len=40, nlmsg_type=RTM_NEWLINK, nlmsg_flags=0}]}]}, 0) = 40\n'
            + '7  sendto(3<NETLINK:[NETFILTER:7]>, [[{nlmsg_len=20, nlmsg_type=NFNL_SUBSYS_NFTABLES<<8|NFT_MSG_GETGEN, x=0}]], 20) = 20\n')
        self.assertEqual(awk('writes.awk', text), [
            'open /proc/irq/29/smp_affinity_list', 'write /proc/irq/29/smp_affinity_list',
            'open /proc/irq/30/smp_affinity_list', 'open /sys/class/net/x',
            'netlink ethtool CHANNELS_SET', 'netlink ethtool 99', 'netlink RTM_NEWLINK'])

    def test_observed_lines_are_folded(self):
        observe = script('observe')
        self.assertEqual(observe.folded(['irq v1 TxRx-0 4-7', 'irq v2 TxRx-1 4-7', 'irq v3 TxRx-2 4-7', 'irq v4 end']),
                         ['irq v1..3 TxRx-0..2 4-7', 'irq v4 end'])
        self.assertEqual(observe.folded(['rx-0', 'rx-1', 'tx-0', 'tx-0']), ['rx-0', 'rx-1', 'tx-0', 'tx-0'])
        self.assertEqual(observe.stable('x irq 25 napi 8193\nok  y\nx irq 31 napi 8193\nx irq 25\n'),
                         'x irq v0 napi n0\nx irq v1 napi n0\nx irq v0\n')


class Events(unittest.TestCase):
    def test_a_removal_is_announced_twice_and_one_names_the_device(self):
        m = monitor.Monitor.__new__(monitor.Monitor)
        m.events = monitor.queue.Queue()
        for data in ({'path': '/p'}, {'device': 'other'}, {'device': 'nic0', 'path': '/p'}):
            m.events.put({'event': 'DEVICE_DELETED', 'data': data})
        self.assertEqual(m.event('DEVICE_DELETED', 'nic0', 1), {'device': 'nic0', 'path': '/p'})
        self.assertIsNone(m.event('DEVICE_DELETED', 'nic0', 0.01))


if __name__ == '__main__':
    unittest.main()
