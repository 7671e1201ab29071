#!/usr/bin/env python3
"""flood.py ADDRESS FLOWS PACKETS_A_SECOND SECONDS: small UDP datagrams, the same number to each of so many ports. Prints how many were sent."""
import socket
import sys
import time

FIRST_PORT = 10000
BURST = 50


def main(address, flows, rate, seconds):
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    start = time.monotonic()
    sent = 0
    while time.monotonic() < start + seconds:
        due = int((time.monotonic() - start) * rate)
        for _ in range(min(due - sent, BURST)):
            try:
                sender.sendto(b'0123456789abcdef', (address, FIRST_PORT + sent % flows))
            except OSError:  # the queue is full: it counts as sent, and the router never sees it
                pass
            sent += 1
        time.sleep(0.0005)
    print(sent)


if __name__ == '__main__':
    main(sys.argv[1], *map(int, sys.argv[2:5]))
