"""Asks apt for packages of this machine's own Debian archive, backports included.

Everything goes through a private apt state in the cache: the sources are derived from the machine's own
(so mirrors, keys and options are kept), and neither its source files nor its package lists are touched.
"""
import os
import re
import shlex
import subprocess
from pathlib import Path

from . import paths

# Fields of a deb822 stanza whose one-line option is spelled differently (sources.list(5)).
OPTION_FIELDS = {'arch': 'Architectures', 'lang': 'Languages', 'target': 'Targets'}


class AptError(Exception):
    """Something that apt could not do, as a sentence for the user."""


def parse_one_line(text):
    """The `deb` lines of a sources.list file as stanzas (dicts of deb822 fields)."""
    stanzas = []
    for line in text.splitlines():
        m = re.match(r'\s*deb\s+(?:\[(.*?)\]\s+)?(\S+)\s+(\S+)\s*([^#]*)', line)
        if not m:
            continue
        options, uri, suite, components = m.groups()
        stanza = {'Types': 'deb', 'URIs': uri, 'Suites': suite, 'Components': components.strip()}
        for option in (options or '').split():
            key, _, value = option.partition('=')
            stanza[OPTION_FIELDS.get(key, key.title())] = value.replace(',', ' ')
        stanzas.append(stanza)
    return stanzas


def parse_deb822(text):
    """The enabled `deb` stanzas of a .sources file; a value that spans lines keeps them (an inline key does)."""
    stanzas = []
    lines = [line for line in text.splitlines() if not line.startswith('#')]
    for block in re.split(r'\n\s*\n', '\n'.join(lines)):
        stanza, key = {}, None
        for line in block.splitlines():
            if line[:1] in (' ', '\t') and key:
                stanza[key] += '\n' + line
            elif ':' in line:
                key, _, value = line.partition(':')
                key = next((k for k in ('Types', 'URIs', 'Suites', 'Components', 'Enabled')
                            if k.lower() == key.strip().lower()), key.strip())
                stanza[key] = value.strip()
        if 'deb' in stanza.get('Types', '').split() and stanza.get('Enabled', 'yes').lower() != 'no':
            stanzas.append(stanza)
    return stanzas


def debian_stanzas(stanzas, codename):
    """Those stanzas of Debian's own suites of this release, with a backports stanza added where there is none.

    Backports lie in the same archive as the release itself, so their stanza is the release's with another suite.
    """
    own = {codename} | {f'{codename}-{s}' for s in ('updates', 'security', 'proposed-updates', 'backports')}
    kept = []
    for stanza in stanzas:
        suites = [s for s in stanza['Suites'].split() if s in own]
        if suites and 'main' in stanza['Components'].split():
            kept.append({**stanza, 'Types': 'deb', 'Suites': ' '.join(suites)})
    backports = f'{codename}-backports'
    if not any(backports in s['Suites'].split() for s in kept):
        release = next((s for s in kept if codename in s['Suites'].split()), None)
        if release:
            kept.append({**release, 'Suites': backports, 'X-Optional': 'yes'})
    return kept


def format_deb822(stanzas):
    blocks = []
    for stanza in stanzas:
        blocks.append('\n'.join(f'{k}: {v}' for k, v in stanza.items() if not k.startswith('X-')))
    return '\n\n'.join(blocks) + '\n'


def machine_stanzas():
    """The stanzas of every source file that apt itself would read on this machine."""
    out = subprocess.run(['apt-config', 'shell', 'LIST', 'Dir::Etc::sourcelist/f', 'PARTS', 'Dir::Etc::sourceparts/d'],
                         capture_output=True, text=True, check=True).stdout
    where = dict(word.split('=', 1) for word in shlex.split(out))
    files = [Path(where['LIST'])] + sorted(Path(where['PARTS']).glob('*'))
    stanzas = []
    for file in files:
        if file.suffix == '.list' and file.is_file():
            stanzas += parse_one_line(file.read_text())
        elif file.suffix == '.sources' and file.is_file():
            stanzas += parse_deb822(file.read_text())
    return stanzas


def codename():
    for line in Path('/etc/os-release').read_text().splitlines():
        if line.startswith('VERSION_CODENAME='):
            return line.split('=', 1)[1].strip('"')
    raise AptError('/etc/os-release names no VERSION_CODENAME: the rig needs Debian 12 or 13')


class Apt:
    """A private apt: same archive, same keys, same dpkg; its own sources, lists and package cache."""

    def __init__(self, say):
        self.say = say
        self.codename = codename()
        self.home = paths.CACHE / 'apt'
        self.debs = paths.CACHE / 'debs'
        self.updated = False

    @property
    def backports(self):
        return f'{self.codename}-backports'

    def _options(self):
        home = self.home
        options = {'Dir::Etc::sourcelist': '/dev/null', 'Dir::Etc::sourceparts': f'{home}/sources',
                   'Dir::State::lists': f'{home}/lists', 'Dir::Cache': f'{home}/cache',
                   'Acquire::Languages': 'none', 'APT::Sandbox::User': 'root'}
        return [arg for key, value in options.items() for arg in ('-o', f'{key}={value}')]

    def _run(self, tool, *args, cwd=None):
        done = subprocess.run([tool, *self._options(), *args], cwd=cwd, text=True, stdin=subprocess.DEVNULL,
                              capture_output=True, env={**os.environ, 'DEBIAN_FRONTEND': 'noninteractive'})
        if done.returncode:
            raise AptError(f"{tool} {' '.join(args)}: {(done.stderr or done.stdout).strip()[-1500:]}")
        return done.stdout

    def update(self):
        """Fetch the package lists, once a run. An archive without backports is no error."""
        if self.updated:
            return
        stanzas = debian_stanzas(machine_stanzas(), self.codename)
        if not stanzas:
            raise AptError(f"apt's source files name no suite of Debian {self.codename}")
        for part in ('sources', 'lists/partial', 'cache/archives/partial'):
            (self.home / part).mkdir(parents=True, exist_ok=True)
        self.debs.mkdir(parents=True, exist_ok=True)
        self.say(f"reading the package lists of {', '.join(s['Suites'] for s in stanzas)}")
        try:
            self._update_from(stanzas)
        except AptError:
            required = [s for s in stanzas if 'X-Optional' not in s]
            if len(required) == len(stanzas):
                raise
            self.say(f'{self.backports} cannot be read; going on without it')
            self._update_from(required)
        self.updated = True

    def _update_from(self, stanzas):
        (self.home / 'sources' / 'debian.sources').write_text(format_deb822(stanzas))
        self._run('apt-get', '-q', '-o', 'APT::Update::Error-Mode=any', 'update')

    def names(self, pattern):
        """All package names that match the whole pattern, newest version last."""
        self.update()
        found = [n for n in self._run('apt-cache', 'pkgnames', 'linux-').split() if re.fullmatch(pattern, n)]
        return sorted(found, key=lambda n: [int(d) for d in re.findall(r'\d+', n)])

    def versions(self, package):
        """The versions of a package and the suite of each, newest first: [(version, suite), ...]."""
        self.update()
        rows = [line.split('|') for line in self._run('apt-cache', 'madison', package).splitlines()]
        return [(r[1].strip(), r[2].split()[1].split('/')[0]) for r in rows if len(r) == 3]

    def install(self, packages, suite=None):
        """Install packages on this machine (root only); says the command otherwise."""
        if os.geteuid():
            into = f'-t {suite} ' if suite else ''
            raise AptError(f"not root; please run: apt-get install --no-install-recommends {into}{' '.join(packages)}")
        self.update()
        self.say(f"installing {' '.join(packages)}" + (f' from {suite}' if suite else ''))
        self._run('apt-get', '-qy', '--no-install-recommends', *(['-t', suite] if suite else []), 'install', *packages)

    def download(self, package, version=None):
        """The path of the package's .deb in the cache, fetched when it is not there yet."""
        self.update()
        wanted = f'{package}={version}' if version else package
        url = self._run('apt-get', 'download', '--print-uris', wanted).split()
        deb = self.debs / url[1]
        if not deb.exists():
            self.say(f'fetching {deb.name} ({int(url[2]) >> 20} MB)')
            self._run('apt-get', '-q', 'download', wanted, cwd=self.debs)
        return deb
