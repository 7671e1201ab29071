#!/bin/sh
# virtio_net rewrites affinity and XPS of all its queues when the channel count changes: the policy's values come after, and
# revert brings back what the driver had made of them.
#: cpus 4  nodes 2
#: nic virtio queues=4 node=1
#: needs steerd
. lib.sh

cat >/tmp/two.ini <<END
[nic virtio]
match.driver = virtio_net
cpus = cores(local)
channels = per-cpu
irq = spread
xps = follow-irq
rps = off
pause = off
END

ip link set ens1 up
ethtool -L ens1 combined 4
wait_carrier ens1
at_rest ens1
snapshot /tmp/before
check "apply" steerctl apply --policy /tmp/two.ini
check "2 channels" equal "$(channels ens1)" 2
check "XPS on the near node" equal "$(xps ens1)" "2 3"
check "nothing differs" steerctl plan --exit-code --policy /tmp/two.ini
writes_of steerctl apply --policy /tmp/two.ini >/tmp/writes
check "and nothing is written" empty /tmp/writes
check "revert" steerctl revert
snapshot /tmp/after
check "everything is as it was" same /tmp/before /tmp/after

ip link add bond9 type bond mode active-backup
ip link set ens1 down
ip link set ens1 master bond9
ip link set bond9 up
wait_carrier bond9
snapshot /tmp/before
cat >/tmp/bond.ini <<END
[nic bond]
match.kind = bond
rps = 1

[nic ports]
match.master = bond9
irq = 3
END
check "a bond and its port" steerctl apply --policy /tmp/bond.ini
check "RPS of the bond" equal "$(rps bond9 | tr ' ' '\n' | sort -u)" 1
check "interrupts of the port" equal "$(affinities ens1 'virtio*-input.*')" "3 3 3 3"
check "revert of both" steerctl revert
snapshot /tmp/after
check "everything is as it was, of both" same /tmp/before /tmp/after
