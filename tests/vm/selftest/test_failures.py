#!/usr/bin/env python3
"""Checks from outside what a failing, skipping, hanging or dying case looks like: exit status and output of `run`."""
import os
import pty
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

VM = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(VM))

from rig import paths  # noqa: E402

SKIPPED = 77

# Cases within a case, so that one machine shows them all: name -> text. Each prints its status behind its output.
INNER = {
    'failing': 'check "two is one" equal 2 1\necho NEVER',
    'condition': 'check "a file" test -e /none',
    'waiting': 'name=$(wait_for "[ -e /none ]" 1; echo NEVER)\ncheck "never reached" true',
    'unchecked': 'true',
    'outside': 'check "fine" true\nls /none\necho NEVER',
    'skipping': 'skip "no such hardware"\necho NEVER',
    'refused': 'refused "true fails" 1 true',
    'noport': 'check "fine" true\nplug igb 7',
    'writes': 'writes_of sh -c "echo 3 >/proc/irq/default_smp_affinity" >/tmp/w\ncheck "no writes" empty /tmp/w',
    'holding': 'check "for ever" holds "[ ! -e /tmp/gone ]" 1\n: >/tmp/gone\ncheck "no longer" holds "[ ! -e /tmp/gone ]" 9',
}

OUTER = '''#!/bin/sh
#: cpus 2
#: nic e1000e
for inner in $(ls /vm/inner-*); do
    rm -f /run/vm/failed
    status=0
    sh $inner 2>&1 || status=$?
    echo "== ${inner#/vm/inner-} $status"
done
. lib.sh
check "the last one fails" equal outer inner
'''


def run(script, *options):
    """Run a case given as text; (exit status, output)."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / 'case.sh'
        file.write_text(script)
        for name, text in INNER.items():
            (Path(scratch) / f'inner-{name}').write_text(f'. lib.sh\n{text}\n')
            options += ('--add', f'{scratch}/inner-{name}')
        done = subprocess.run([VM / 'run', file, *options], text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


class Failures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.status, cls.output = run(OUTER)
        cls.inner = {}
        rest = cls.output
        for name in sorted(INNER):
            said, _, rest = rest.partition(f'== {name} ')
            status, _, rest = rest.partition('\n')
            cls.inner[name] = (int(status or -1), said)
        cls.rest = rest

    def outcome(self, name, status, *words):
        got, said = self.inner[name]
        self.assertEqual(got, status, said)
        self.assertNotIn('NEVER', said)
        for word in words:
            self.assertIn(word, said)
        return said

    def test_a_failing_check_fails_the_run_and_shows_the_guest(self):
        self.assertEqual(self.status, 1, self.output)
        for words in ('NOT OK  the last one fails', '| got     outer', '| wanted  inner', 'what the guest sees',
                      'ens1 driver e1000e', 'ens1 rx-0 rps_cpus 0', 'host online 0-1', 'kernel log', 'exit 1;'):
            self.assertIn(words, self.rest)

    def test_the_case_ends_at_its_first_failure(self):
        self.outcome('failing', 1, 'NOT OK  two is one')

    def test_a_command_is_shown_with_its_words(self):
        self.outcome('condition', 1, 'NOT OK  a file', 'status 1 of: test -e /none')

    def test_waiting_in_vain_within_a_substitution(self):
        said = self.outcome('waiting', 1, 'NOT OK  waited 1 s for: [ -e /none ]')
        self.assertEqual(said.count('NOT OK'), 1)

    def test_a_case_must_check_something(self):
        self.outcome('unchecked', 1, 'the case has checked nothing')

    def test_a_command_outside_of_checks_must_succeed(self):
        self.outcome('outside', 1, 'NOT OK  a command outside of any check', '/none')

    def test_skipping_says_why(self):
        self.outcome('skipping', SKIPPED, 'skip: no such hardware')

    def test_refused_wants_the_refusal(self):
        self.outcome('refused', 1, 'NOT OK  true fails', 'status 0, not 1')

    def test_qemu_s_refusal_is_shown(self):
        self.outcome('noport', 1, 'NOT OK', "Bus 'hp7' not found")

    def test_unexpected_writes_are_shown(self):
        self.outcome('writes', 1, 'NOT OK  no writes', 'write /proc/irq/default_smp_affinity')

    def test_what_must_hold_may_not_cease(self):
        self.outcome('holding', 1, 'ok      for ever', 'NOT OK  no longer')


class Ends(unittest.TestCase):
    def test_the_time_limit(self):
        status, output = run('#!/bin/sh\nwhile :; do read -r x </proc/uptime; done\n', '--limit', '3')
        self.assertEqual(status, 124, output)
        self.assertIn('the time limit is over', output)

    def test_a_machine_that_hangs_while_it_boots_has_one_more_try(self):
        status, output = run('#!/bin/sh\n', '--append', 'rdinit=/bin/cat', '--boot-limit', '2', '--limit', '4')
        self.assertEqual(status, 124, output)
        self.assertEqual(output.count('booted once more'), 1, output)
        self.assertIn('no script began', output)

    def test_so_has_one_that_ends_while_it_boots(self):
        status, output = run('#!/bin/sh\n', '--append', 'rdinit=/none', '--limit', '20')
        self.assertEqual(status, 125, output)
        self.assertEqual(output.count('booted once more'), 1, output)

    def test_so_has_one_whose_queue_qemu_forgets(self):
        script = '#!/bin/sh\necho "<2>virtio_net virtio0 ens1: NETDEV WATCHDOG: CPU: 2: transmit queue 1 timed out {} ms" >/dev/kmsg\n'
        status, output = run(script.format(5628) + '. lib.sh\ncheck "it goes on" true\n')
        self.assertEqual((status, output.count('booted once more')), (0, 0), output)
        status, output = run(script.format(20732) + 'read -r x <>/dev/ttyS1\n', '--limit', '60')
        self.assertEqual((status, output.count('booted once more')), (125, 1), output)

    def test_so_has_one_whose_words_are_lost(self):
        status, output = run('#!/bin/sh\nexit 1\n')
        self.assertEqual((status, output.count('booted once more')), (1, 1), output)

    def test_a_kernel_that_dies(self):
        status, output = run('#!/bin/sh\necho c >/proc/sysrq-trigger\n')
        self.assertEqual(status, 125, output)
        self.assertIn('sysrq triggered crash', output)

    def test_a_mistake_in_the_description(self):
        status, output = run('#!/bin/sh\n#: cups 3\n')
        self.assertEqual(status, 2)
        self.assertIn('case.sh:2: unknown word cups', output)

    def test_a_kernel_that_the_case_is_not_for(self):
        status, output = run('#!/bin/sh\n#: kernel 6.12\n', '--kernel', '6.1')
        self.assertEqual(status, SKIPPED)
        self.assertIn('skip: not for kernel 6.1', output)


class Shell(unittest.TestCase):
    def test_a_shell_in_the_guest(self):
        master, slave = pty.openpty()
        command = [VM / 'run', VM / 'cases' / 'rig-hotplug.sh', '--shell', '--limit', '200']
        with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave) as child:
            os.close(slave)
            self.assertIn('guest:', said_before(master, b'# '))
            os.write(master, b'echo "$(names_of ens1 "*config")"; ls /vm/script; exit 5\n')
            said = said_before(master, None)
        self.assertIn('virtio0-config\n/vm/script', said)
        self.assertEqual(child.returncode, 5, said)

    def test_needs_a_terminal(self):
        status, output = run('', '--shell')
        self.assertEqual((status, output), (2, 'run: a shell needs a terminal\n'))


def said_before(terminal, prompt):
    """What comes from a terminal up to a prompt; without one, up to the end."""
    said = b''
    while prompt is None or prompt not in said:
        try:
            said += os.read(terminal, 4096)
        except OSError:  # the far side has closed it
            break
    return said.decode(errors='replace').replace('\r', '')


if __name__ == '__main__':
    reasons = [paths.why_not(k) for k in paths.KERNELS]
    if all(reasons):
        print(f'skip: {reasons[-1]}')
        sys.exit(SKIPPED)
    unittest.main()
