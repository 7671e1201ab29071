#!/bin/sh
# With SMT, etc/c240.ini gives one queue to each core and none to a sibling; isolated CPUs are the policy's to take or leave.
#: cpus 8  threads 2
#: nic virtio queues=8
#: nic igb
#: append isolcpus=4-5
#: needs steerd
#: add tests/vm/guest/policy.sh
#: limit 300
. lib.sh
. policy.sh

adapt c240 'match.driver = virtio_net igb' 'match.name = ens*'

in_force() {
    queues=$(echo "$1" | wc -w)
    for nic in ens1 ens2; do
        check "$nic has $queues channels" equal "$(channels $nic)" "$queues"
        check "$nic: a queue for each" equal "$(placed $nic)" "$1"
        check "$nic: which sends from there" equal "$(xps $nic)" "$1"
    done
    check "flow control is off" equal "$(pause ens2)" "autoneg off rx off tx off"
}

for nic in ens1 ens2; do ip link set $nic up; done
for nic in ens1 ens2; do wait_carrier $nic; done
snapshot /tmp/before
check "siblings are neighbours" equal "$(cat /sys/devices/system/cpu/cpu2/topology/thread_siblings_list)" "2-3"
check "one core is isolated" equal "$(cat /sys/devices/system/cpu/isolated)" "4-5"

check "local cores are all of them" steerd --once --policy /tmp/c240.ini
in_force "0 2 4 6"
check "once is enough" writes_nothing steerd --once --policy /tmp/c240.ini

sed 's/^cpus .*/cpus = cores(local \& housekeeping)/' /tmp/c240.ini >/tmp/housekeeping.ini
check "only the cores that are not isolated" steerd --once --policy /tmp/housekeeping.ini
in_force "0 2 6"
check "once is enough without the isolated" writes_nothing steerd --once --policy /tmp/housekeeping.ini

# A core that loses its first thread is served by the second one.
cpu_off 2
check "the first thread is off" steerd --once --policy /tmp/housekeeping.ini
in_force "0 3 6"
cpu_on 2
check "and on again" steerd --once --policy /tmp/housekeeping.ini
in_force "0 2 6"

check "the way back" steerctl revert
wait_carrier ens2
snapshot /tmp/after
check "everything is what it was" same /tmp/before /tmp/after

# The kernel leaves isolated CPUs out of rps_cpus without a word, and refuses them when no other is left.
sed 's/^rps .*/rps = all/' /tmp/c240.ini >/tmp/all.ini
check "RPS on all that may take it" steerd --once --policy /tmp/all.ini
check "the isolated are left out" equal "$(rps ens1) $(rps ens2)" "$(each 8 0-3,6-7)"
check "and are not asked for again" writes_nothing steerd --once --policy /tmp/all.ini
sed 's/^rps .*/rps = isolated/' /tmp/c240.ini >/tmp/isolated.ini
check "RPS on isolated CPUs cannot be had, which is no error" says 'rps .* skipped .*isolcpus' 0 \
    steerd --once --policy /tmp/isolated.ini
check "and is not taken for off" equal "$(rps ens1)" "0-3,6-7 0-3,6-7 0-3,6-7 0-3,6-7"
