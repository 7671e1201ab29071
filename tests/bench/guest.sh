#!/bin/sh
# The job on a machine of two nodes: a NIC with 4 of 8 channels gets 8, the interrupt and XPS of queue i on CPU 20 + i,
# no RPS, no flow control. Each way does it from the same start state, some times by the clock and once below strace.
#: cpus 40  nodes 2
#: memory 1024  limit 1500
#: nic igb node=1
#: needs steerd
# shellcheck shell=dash disable=SC1091
. lib.sh
export BENCH=/vm
. /vm/measure.sh
runs=$(cat /vm/runs)

start_state() {
    rm -rf /run/steerd
    wait_carrier ens1
    ethtool -A ens1 autoneg on rx on tx on || :
    wait_carrier ens1
    ethtool -L ens1 combined 4 || :     # gives up every affinity
    wait_carrier ens1
    set_all ens1 rx rps_cpus f
    set_all ens1 tx xps_cpus 0
    at_rest ens1
}

# What of the job is not there once the device is at rest, "nothing" when all is.
missing() {
    local left=
    wait_carrier ens1
    at_rest ens1
    [ "$(channels ens1)" = 8 ] || left="$left channels"
    [ "$(affinities ens1 '*-TxRx-*')" = "20 21 22 23 24 25 26 27" ] || left="$left interrupts"
    [ "$(rps ens1)" = "- - - - - - - -" ] || left="$left rps"
    [ "$(xps ens1)" = "20 21 22 23 24 25 26 27" ] || left="$left xps"
    [ "$(pause ens1)" = "autoneg off rx off tx off" ] || left="$left pause: $(pause ens1)"
    echo "${left:-nothing}"
}

# once WORD WAY COMMAND...     WORD is timed or traced
once() {
    "$@"
    echo "bench missing $2 $(missing)"
}

each_way() {
    local how="$1"
    start_state
    once "$how" floor floor ens1 8 20-27
    start_state
    (PATH="/run/debian:$PATH" "$how" shell shell.sh ens1 8 20-27)
    echo "bench missing shell $(missing)"
    start_state
    once "$how" steerd-cold steerd --once --policy /vm/job.ini
    once "$how" steerd-warm steerd --once --policy /vm/job.ini
}

cp /vm/ld.so.cache /etc/
mkdir /run/debian
ln -s /vm/mawk /run/debian/awk
ip link set ens1 up
wait_carrier ens1
check "the NIC is on node 1" equal "$(cat /sys/class/net/ens1/device/numa_node)" 1
each_way traced
while [ "$runs" -gt 0 ]; do
    each_way timed
    runs=$((runs - 1))
done
