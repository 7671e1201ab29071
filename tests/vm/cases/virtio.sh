#!/bin/sh
# virtio_net puts interrupts and XPS of all queues where it pleases whenever a CPU comes or goes; one run puts them right.
#: cpus 8  nodes 2
#: nic virtio queues=4 node=1
#: needs steerd
#: add tests/vm/guest/policy.sh
#: limit 300
. lib.sh
. policy.sh

cat >/tmp/virtio.ini <<END
[nic virtio]
match.driver = virtio_net
cpus = cores(local)
channels = per-cpu
irq = spread
irq.control = first(1, local)
xps = follow-irq
rps = local
END

in_force() {
    check "$1: queues where they belong" equal "$(placed ens1)" "$2"
    check "$1: XPS follows" equal "$(xps ens1)" "$2"
    check "$1: RPS on the node" equal "$(rps ens1)" "$3"
    check "$1: the control vector is no queue" equal "$(affinity "$(irq_named virtio0-config)")" 4
}

ip link set ens1 up
wait_carrier ens1
snap ens1 >/tmp/before
check "the policy is put in force" steerd --once --policy /tmp/virtio.ini
in_force "at first" "4 5 6 7" "4-7 4-7 4-7 4-7"

cpu_off 2
check "the driver has moved them" not equal "$(placed ens1)" "4 5 6 7"
check "a CPU of the far node is off" steerd --once --policy /tmp/virtio.ini
in_force "far CPU off" "4 5 6 7" "4-7 4-7 4-7 4-7"
cpu_on 2
check "the driver has moved them again" not equal "$(placed ens1)" "4 5 6 7"
check "it is back" steerd --once --policy /tmp/virtio.ini
in_force "far CPU on" "4 5 6 7" "4-7 4-7 4-7 4-7"
check "once is enough" writes_nothing steerd --once --policy /tmp/virtio.ini

cpu_off 6
check "a CPU of its own is off" steerd --once --policy /tmp/virtio.ini
check "3 CPUs, 3 channels" equal "$(channels ens1)" 3
in_force "own CPU off" "4 5 7" "4-5,7 4-5,7 4-5,7"
cpu_on 6
check "and back" steerd --once --policy /tmp/virtio.ini
check "4 channels again" equal "$(channels ens1)" 4
in_force "own CPU on" "4 5 6 7" "4-7 4-7 4-7 4-7"

ethtool -L ens1 combined 2
check "an operator took two channels" steerd --once --policy /tmp/virtio.ini
in_force "channels back" "4 5 6 7" "4-7 4-7 4-7 4-7"

for cpu in 4 5 6 7; do cpu_off $cpu; done
check "no CPU of the node is left" steerd --once --policy /tmp/virtio.ini
check "so all that are left are local" equal "$(placed ens1)" "0 1 2 3"
for cpu in 4 5 6 7; do cpu_on $cpu; done
check "they are back" steerd --once --policy /tmp/virtio.ini
in_force "whole node back" "4 5 6 7" "4-7 4-7 4-7 4-7"

check "the way back" steerctl revert
snap ens1 >/tmp/after
check "everything is what it was" same /tmp/before /tmp/after
