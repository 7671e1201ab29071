#!/bin/sh
# The job as scripts do it: ethtool, a grep for the interrupts, an awk for each mask.
#
#     shell.sh DEVICE QUEUES CPUS       channels, pause, interrupts, RPS and XPS
#     shell.sh -q DEVICE QUEUES CPUS    veth: channels, RPS and XPS
set -e

queues_only=
[ "$1" != -q ] || { queues_only=1; shift; }
device=$1 queues=$2 first=${3%-*} last=${3#*-}

cpu_of() { cpu=$((first + $1 % (last - first + 1))); }

mask() { awk -v cpu="$1" 'BEGIN {
    for (groups = ""; cpu >= 32; cpu -= 32) groups = groups ",00000000"
    for (bit = 1; cpu > 0; cpu--) bit *= 2
    printf "%x%s\n", bit, groups
}'; }

if [ "$queues_only" ]; then
    ethtool -L "$device" rx "$queues" tx "$queues"
else
    ethtool -L "$device" combined "$queues"
    ethtool -A "$device" autoneg off rx off tx off
    grep -- "$device-TxRx-" /proc/interrupts | awk '{print $1 + 0, $NF}' | while read -r irq name; do
        cpu_of "${name##*-}"
        echo "$cpu" >"/proc/irq/$irq/smp_affinity_list"
    done
fi

queue=0
while [ $queue -lt "$queues" ]; do
    echo 0 >"/sys/class/net/$device/queues/rx-$queue/rps_cpus"
    cpu_of $queue
    mask "$cpu" >"/sys/class/net/$device/queues/tx-$queue/xps_cpus"
    queue=$((queue + 1))
done
