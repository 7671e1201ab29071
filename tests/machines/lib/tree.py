"""Puts the files of all parts together into a captured tree below a directory. Decides nothing about them."""
import os
import random
import shutil

from . import fman, hardware, interrupts, network

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def description(name):
    """The path of a machine's description, given by its name or as a file."""
    return name if os.path.isfile(name) else os.path.join(HERE, name, "machine")


def contents(machine):
    """Everything in the captured tree: {path: text or network.Link}."""
    made = {}
    for module in (hardware, interrupts, network, fman):
        for path, content in module.files(machine):
            assert made.get(path, content) == content, f"{path}: '{made[path]}' and '{content}'"
            made[path] = content
    return made


def put(root, path, content):
    """One file or relative link below root."""
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    if isinstance(content, network.Link):
        os.symlink(os.path.relpath(content, os.path.dirname(path)), full)
        return
    with open(full, "w") as f:
        f.write(content + "\n")


def write(machine, root, seed=None):
    """The whole tree, in its own order or, with a seed, in another."""
    made = list(contents(machine).items())
    if seed is not None:
        random.Random(seed).shuffle(made)
    for path, content in made:
        put(root, path, content)


def replace(machine, home):
    """Writes the tree that is kept beside a description anew."""
    for name in {path.split("/")[0] for path in contents(machine)}:
        old = os.path.join(home, name)
        if os.path.isdir(old):
            shutil.rmtree(old)
        elif os.path.exists(old):
            os.remove(old)
    write(machine, home)
