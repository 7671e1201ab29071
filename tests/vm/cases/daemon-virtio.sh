#!/bin/sh
# virtio_net rewrites affinity and XPS of all its queues whenever any CPU comes or goes: steerd puts that right, and does not
# take it for a fight.
#: cpus 4  nodes 2  limit 240
#: nic virtio queues=4 node=1
#: needs steerd
. lib.sh

cat >/tmp/virtio.ini <<END
[nic virtio]
match.driver = virtio_net
cpus = 2
irq = all
xps = 2
END

said() { grep -q -- "$1" /tmp/log; }
in_force() {
    [ "$(xps ens1)" = "2 2 2 2" ] && [ "$(affinities ens1 'virtio*-input.*')" = "2 2 2 2" ]
}

ip link set ens1 up
steerd --policy /tmp/virtio.ini --log-level debug 2>/tmp/log &
steerd=$!
wait_for in_force
for round in 1 2 3 4 5 6; do
    cpu_off 3
    wait_for "[ \$(grep -c 'event: cpu' /tmp/log) -ge $((2 * round - 1)) ]"
    wait_for in_force
    cpu_on 3
    wait_for "[ \$(grep -c 'event: cpu' /tmp/log) -ge $((2 * round)) ]"
    wait_for in_force
done
check "after every CPU event" in_force
check "nobody is accused" not said "somebody else"
check "nothing is left alone" not said "left alone"
cpu_off 2
wait_for "said 'rps\|xps\|irq'"
cpu_on 2
wait_for in_force
check "the section's own CPU went and came" in_force
kill $steerd
wait $steerd
