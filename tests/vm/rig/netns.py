"""Gives QEMU a network namespace of its own, so that no guest can meet the host's network; root is not needed."""
import os

_ROOT = os.geteuid() == 0


def inside(command):
    """The command line that runs `command` in a fresh namespace, as the same process, which dies with its parent."""
    return ['unshare', '-n' if _ROOT else '-rn', 'sh', '-c', 'ip link set lo up; exec "$@"', 'sh',
            'setpriv', '--pdeathsig', 'KILL', *command]


def joined(pid, command):
    """The command line that runs a shell command in the namespace of a process."""
    user = [] if _ROOT else ['-U', '--preserve-credentials']
    return ['nsenter', *user, '-n', '-t', str(pid), 'sh', '-c', command]
