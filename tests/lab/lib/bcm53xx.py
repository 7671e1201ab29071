"""The Northstar router: nine placements, with and without flow offloading, beside what was measured on the board; then steerd.

The board's table: TCP from LAN to WAN in Mb/s on a BCM4708, all interrupts of eth0 on CPU 0 (OpenWrt, 2022)."""
import random
from pathlib import Path

from .far import Lan, tcp
from .guest import Guest
from .router import Router, between

BOARD = {  # (mask of eth0, mask of br-lan): (without, with offloading)
    (0, 0): (387, 707), (0, 1): (343, 705), (0, 2): (574, 704),
    (1, 0): (320, 561), (1, 1): (327, 553), (1, 2): (523, 559),
    (2, 0): (383, 940), (2, 1): (448, 942), (2, 2): (404, 941),
}
UNSTEERED, BRIDGE, SWITCH, BOTH = (0, 0), (0, 2), (2, 0), (2, 2)
ESSENTIAL = (UNSTEERED, BRIDGE, SWITCH)
SECONDS = 2          # of each run, after one that is left out
SLOW = 0.8           # of the best unsteered run: a round below that was disturbed
REPEATS = 3          # of disturbed rounds, at the most; 1 when short
FEW, MANY = 0.02, 1  # packets on the slow path, for each that reached the server: with offloading, and without


class Lab:
    def __init__(self, guest, lan, router):
        self.guest, self.lan, self.router = guest, lan, router
        self.problems, self.warnings = [], []

    def expect(self, holds, problem):
        if not holds:
            self.problems.append(problem)

    def measure(self):
        """(Mb/s, what was counted, packets that reached the server)"""
        before, reached = self.router.counters(), self.lan.server.received()
        speed = tcp(self.lan.client, self.lan.server, '10.2.0.2', SECONDS)
        return speed, between(before, self.router.counters()), self.lan.server.received() - reached

    def check(self, masks, offloaded, counted, packets):
        """What has to be so however fast it is."""
        where = f'masks {masks}, offloading {"on" if offloaded else "off"}'
        share = counted.slow / packets
        self.expect(share < FEW if offloaded else share > MANY, f'{where}: {share:.4f} packets on the slow path for each that arrived')
        steered = 2 in masks if not offloaded else masks[0] == 2
        moved = counted.processed[1] / packets
        self.expect(moved > 0.5 if steered else moved < 0.05, f'{where}: CPU 1 took {moved:.3f} packets for each that arrived')


def sweep(lab, placements, rounds, repeats, dice):
    """{(masks, offloaded): [(Mb/s, shares of softirq)]}, in a new order each round, and again where the host was disturbed."""
    found = {(m, o): [] for o in (False, True) for m in placements}
    while rounds:
        cells = list(found)
        dice.shuffle(cells)
        speeds = {}
        for masks, offloaded in cells:
            lab.router.offload(offloaded)
            lab.router.set_masks(*masks)
            speed, counted, packets = lab.measure()
            lab.check(masks, offloaded, counted, packets)
            speeds[masks, offloaded] = speed
            found[masks, offloaded].append((speed, counted.softirq))
        disturbed = any(speeds[UNSTEERED, o] < SLOW * max(s for s, _ in found[UNSTEERED, o]) for o in (False, True))
        if disturbed and repeats:
            repeats -= 1
        else:
            rounds -= 1
    return found


def best(found, masks, offloaded):
    return max(found[masks, offloaded])


def show(found):
    for offloaded in (False, True):
        reference = best(found, UNSTEERED, offloaded)[0]
        board = BOARD[UNSTEERED][offloaded]
        print(f'\nflow offloading {"on" if offloaded else "off"}: best of {len(found[UNSTEERED, offloaded])} rounds, '
              f'as a ratio to no steering\n  eth0 br-lan   here  board   softirq of CPU 0, 1')
        for masks in sorted(m for m, o in found if o == offloaded):
            speed, shares = best(found, masks, offloaded)
            print(f'  {masks[0]:4} {masks[1]:6}   {speed / reference:4.2f}   {BOARD[masks][offloaded] / board:4.2f}   '
                  + '  '.join(f'{100 * s:3.0f} %' for s in shares))


def judge(lab, found):
    """Ratios warn."""
    def ratio(a, b, offloaded):
        return best(found, a, offloaded)[0] / best(found, b, offloaded)[0]

    for holds, what in ((ratio(BRIDGE, UNSTEERED, False) > 1.3, 'without offloading, steering the bridge gains 30 %'),
                        (ratio(BRIDGE, SWITCH, False) > 1.15, 'without offloading, steering the bridge beats steering the switch'),
                        (ratio(SWITCH, UNSTEERED, True) > 1.1, 'with offloading, steering the switch gains 10 %'),
                        (0.85 < ratio(BRIDGE, UNSTEERED, True) < 1.15, 'with offloading, steering the bridge changes nothing')):
        if not holds:
            lab.warnings.append(f'not seen in this run: {what}')


def steer(lab):
    """steerd alone, live: offloading off, on, and off again."""
    lab.router.set_masks(*UNSTEERED)
    lab.router.offload(False)
    lab.guest.run('steerd --policy /etc/steerd/bcm53xx.ini 2>/tmp/steerd.log & echo $! >/tmp/steerd.pid')
    for offloaded, wanted, gain in ((False, BRIDGE, 1.3), (True, BOTH, 1.1), (False, BRIDGE, 1.3)):
        state = 'on' if offloaded else 'off'
        lab.router.offload(offloaded)
        lab.guest.attempt(f'wait_for \'[ "$(rps eth0) $(rps br-lan)" = "{words(wanted)}" ]\' 20')
        lab.expect(lab.router.masks() == wanted, f'steerd, offloading {state}: masks {lab.router.masks()}, not {wanted}')
        steered = max(lab.measure()[0] for _ in range(2))
        speed, counted, packets = lab.measure()
        lab.check(wanted, offloaded, counted, packets)
        lab.guest.run('kill -STOP $(cat /tmp/steerd.pid)')
        lab.router.set_masks(*UNSTEERED)
        plain = max(lab.measure()[0] for _ in range(2))
        lab.router.set_masks(*wanted)
        lab.guest.run('kill -CONT $(cat /tmp/steerd.pid)')
        ratio = max(steered, speed) / plain
        print(f'steerd, offloading {state}: masks {wanted}, {ratio:.2f} of unsteered')
        if ratio < gain:
            lab.warnings.append(f'steerd, offloading {state}: gained less than {gain}')
    lab.guest.run('kill $(cat /tmp/steerd.pid)')


def words(masks):
    """As the guest's rps tells them."""
    return ' '.join({0: '-', 1: '0', 2: '1'}[m] for m in masks)


def run(args):
    placements = ESSENTIAL if args.short else tuple(BOARD)
    lan = Lan()
    try:
        with Guest(Path(__file__).parents[1] / 'router.vm', args.kernel) as guest:
            lan.connect(guest.pid)
            lab = Lab(guest, lan, Router(guest))
            lab.router.offload(False)
            lab.measure()  # the first one learns addresses
            found = sweep(lab, placements, args.rounds or (1 if args.short else 3), 1 if args.short else REPEATS,
                          random.Random(args.seed))
            show(found)
            judge(lab, found)
            print()
            steer(lab)
    finally:
        lan.close()
    for text in lab.warnings:
        print(f'warning: {text}')
    for text in lab.problems:
        print(f'FAILED: {text}')
    return 1 if lab.problems else 0
