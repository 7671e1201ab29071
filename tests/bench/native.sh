#!/bin/sh
# The short job, without a guest: a veth with half of its channels gets them all, RPS off, XPS of each queue on CPU 0.
# Runs in mount and network namespaces of its own (`run --native` makes them) and touches no device outside.
#
#     native.sh QUEUES RUNS
# shellcheck disable=SC1091
set -eu

mount -t sysfs sys /sys
mount -t tmpfs run /run
. "$BENCH/measure.sh"
queues=$1 runs=$2
half=$((queues / 2))

ip link add ve0 numrxqueues "$queues" numtxqueues "$queues" type veth peer name ve1 numrxqueues "$queues" \
    numtxqueues "$queues"
ethtool -L ve1 rx "$queues" tx "$queues"
cat >/run/job.ini <<POLICY
[nic measured]
match.name  = ve0
channels.rx = $queues
channels.tx = $queues
rps         = off
xps         = 0
POLICY

set_each() {
    for file in /sys/class/net/ve0/queues/$1; do
        echo "$2" >"$file"
    done
}

start_state() {
    rm -rf /run/steerd
    ethtool -L ve0 rx "$half" tx "$half" 2>/dev/null || :
    set_each 'rx-*/rps_cpus' 1
    set_each 'tx-*/xps_cpus' 0
}

# What of the job is not there, "nothing" when all is.
missing() {
    [ "$(cat /sys/class/net/ve0/queues/tx-*/xps_cpus | grep -c '^[0,]*1$')" -eq "$queues" ] || echo xps
    [ "$(cat /sys/class/net/ve0/queues/rx-*/rps_cpus | grep -c '^[0,]*$')" -eq "$queues" ] || echo rps
}

once() {
    "$@"
    left=$(missing)
    echo "bench missing $2 ${left:-nothing}"
}

each_way() {
    start_state
    once "$1" floor floor -q ve0 "$queues" 0-0
    start_state
    once "$1" shell shell.sh -q ve0 "$queues" 0-0
    start_state
    once "$1" steerd-cold steerd --once --policy /run/job.ini
    once "$1" steerd-warm steerd --once --policy /run/job.ini
}

each_way traced
while [ "$runs" -gt 0 ]; do
    each_way timed
    runs=$((runs - 1))
done
