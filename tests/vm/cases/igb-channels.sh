#!/bin/sh
# Flow control that is set together with a channel change stays off on igb, where nearly every script ends with RX on; and
# whatever else such a change resets is put right by one run.
#: cpus 8  nodes 2
#: nic igb node=1
#: needs steerd
#: add tests/vm/guest/policy.sh
#: limit 300
. lib.sh
. policy.sh

cat >/tmp/igb.ini <<END
[nic igb]
match.driver = igb
cpus         = cores(local)
channels     = per-cpu
irq          = spread
irq.control  = 0
xps          = follow-irq
rps          = local
rps.flows    = 512
pause        = off
END

in_force() {
    wait_carrier ens1
    check "$1: 4 channels" equal "$(channels ens1)" 4
    check "$1: both vectors of queue i on CPU 4 + i" equal "$(placed ens1)" "4 5 6 7"
    check "$1: the control vector on CPU 0" equal "$(affinity "$(irq_named ens1)")" 0
    check "$1: XPS follows" equal "$(xps ens1)" "4 5 6 7"
    check "$1: RPS on the whole node" equal "$(rps ens1)" "4-7 4-7 4-7 4-7"
    check "$1: flow tables" equal "$(cat /sys/class/net/ens1/queues/rx-*/rps_flow_cnt | paste -sd' ')" "512 512 512 512"
    check "$1: flow control stays off" calm ens1 "$2"
}

ip link set ens1 up
wait_carrier ens1
snapshot /tmp/before
check "the policy is put in force" eval 'writes_of steerd --once --policy /tmp/igb.ini >/tmp/writes'
check "flow control and channels in one try" equal "$(grep -c PAUSE_SET /tmp/writes) $(grep -c CHANNELS_SET /tmp/writes)" "1 1"
in_force "channels and pause together" 5

ethtool -L ens1 combined 8
check "an operator was here just now" steerd --once --policy /tmp/igb.ini
in_force "behind a channel change by hand" 5

ethtool -L ens1 combined 2
ethtool -A ens1 autoneg off rx off tx off
check "and did what every script does" steerd --once --policy /tmp/igb.ini
in_force "behind the usual script" 5
check "once is enough" writes_nothing steerd --once --policy /tmp/igb.ini

ip link set ens1 down
ethtool -L ens1 combined 8
check "while the device is down" steerd --once --policy /tmp/igb.ini
ip link set ens1 up
wait_carrier ens1
check "and again when it is up" steerd --once --policy /tmp/igb.ini
in_force "behind down and up" 3

check "the way back" steerctl revert
wait_carrier ens1
snapshot /tmp/after
check "everything is what it was" same /tmp/before /tmp/after
check "and stays" holds 'snapshot /tmp/later && same /tmp/before /tmp/later' 3
