#!/bin/sh
# Two packages of 20 cores, ports on either node: etc/c240.ini puts one queue on each core of a port's own node.
#: machine c240
#: nic virtio queues=40 node=1 name=ens4f0np0
#: nic virtio queues=40 node=1 name=ens4f1np1
#: needs steerd
#: add tests/vm/guest/policy.sh
#: limit 300
. lib.sh
. policy.sh

adapt c240 'match.driver = virtio_net igb' 'match.name = ens2f?np? ens3 ens4f?np?'
policy=/tmp/c240.ini
nics='ens2f0np0 ens2f1np1 ens3 ens4f0np0 ens4f1np1'

# in_force NIC CPUS     one queue on each of them: its interrupts, and what is sent from there
in_force() {
    queues=$(echo "$2" | wc -w)
    check "$1 has $queues channels" equal "$(channels "$1")" "$queues"
    check "$1: queue i interrupts the i-th CPU" equal "$(placed "$1")" "$2"
    check "$1: and sends from there" equal "$(xps "$1")" "$2"
    check "$1: RPS is off" equal "$(rps "$1")" "$(each "$queues" -)"
}

for nic in $nics; do ip link set "$nic" up; done
for nic in $nics; do wait_carrier "$nic"; done
# Something to be found again: on a queue that stays, and on one that goes with the channels.
echo 07 >/sys/class/net/ens2f0np0/queues/rx-3/rps_cpus
echo f0 >/sys/class/net/ens2f0np0/queues/rx-33/rps_cpus
echo 256 >/sys/class/net/ens4f1np1/queues/rx-39/rps_flow_cnt
echo 7 >"/proc/irq/$(irq_named ens3)/smp_affinity_list"
snapshot /tmp/before

check "the policy is put in force" steerd --once --policy $policy
near=$(seq -s' ' 0 19)
in_force ens2f0np0 "$near"
in_force ens2f1np1 "$near"
in_force ens4f0np0 "$(seq -s' ' 20 39)"
in_force ens4f1np1 "$(seq -s' ' 20 39)"
in_force ens3 "$(seq -s' ' 0 7)"
check "flow control is off where the driver has it" equal "$(pause ens3)" "autoneg off rx off tx off"
check "the control vector is none of the queues'" equal "$(affinity "$(irq_named ens3)")" "$(
    grep ' ens3 affinity ' /tmp/before | cut -d' ' -f7)"
check "once is enough" writes_nothing steerd --once --policy $policy

check "the way back" steerctl revert
wait_carrier ens3
snapshot /tmp/after
check "everything is what it was" same /tmp/before /tmp/after

cpu_off 3
cpu_off 17
snapshot /tmp/before
check "two CPUs of the node are off" steerd --once --policy $policy
near=$(echo "$near" | sed 's/ 3 / /; s/ 17 / /')
in_force ens2f0np0 "$near"
in_force ens2f1np1 "$near"
in_force ens4f1np1 "$(seq -s' ' 20 39)"
in_force ens3 "0 1 2 4 5 6 7 8"
check "once is enough with fewer CPUs" writes_nothing steerd --once --policy $policy

sed 's/^channels .*/channels = max/' $policy >/tmp/max.ini
check "more queues than CPUs" steerd --once --policy /tmp/max.ini
check "40 queues" equal "$(channels ens2f0np0) $(channels ens4f0np0)" "40 40"
check "18 CPUs are gone round twice, and four of them thrice" equal "$(placed ens2f0np0)" "$near $near 0 1 2 4"
check "20 CPUs are gone round twice" equal "$(placed ens4f0np0)" "$(seq -s' ' 20 39) $(seq -s' ' 20 39)"
check "each queue sends from where it interrupts" equal "$(xps ens2f0np0)" "$near $near 0 1 2 4"
check "once is enough with more queues" writes_nothing steerd --once --policy /tmp/max.ini

check "the way back with fewer CPUs" steerctl revert
wait_carrier ens3
snapshot /tmp/after
check "all of it is as before" same /tmp/before /tmp/after
