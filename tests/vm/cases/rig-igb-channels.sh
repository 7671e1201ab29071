#!/bin/sh
# igb names its vectors by the channel count and gives up every affinity when the count changes. Proves the rig itself.
#: cpus 8  nodes 2
#: nic igb node=1
. lib.sh

spread() { for irq in $(irqs_of ens1 '*-*'); do echo 5 >"/proc/irq/$irq/smp_affinity_list"; done; }

check "no vector is requested before the first up" equal "$(names_of ens1 '?*')" ""
check "and none is in /proc/irq" not test -e "/proc/irq/$(irqs_of ens1 | head -n 1)"

ip link set ens1 up
wait_carrier ens1
check "8 channels share a vector for rx and tx" equal "$(names_of ens1)" \
    "ens1 ens1-TxRx-0 ens1-TxRx-1 ens1-TxRx-2 ens1-TxRx-3 ens1-TxRx-4 ens1-TxRx-5 ens1-TxRx-6 ens1-TxRx-7"
check "the driver spreads nothing: all of node 1" equal "$(affinities ens1 '*-TxRx-*')" "4-7 4-7 4-7 4-7 4-7 4-7 4-7 4-7"

spread
set_all ens1 tx xps_cpus 20
set_all ens1 rx rps_cpus 30
check "pinned" equal "$(affinities ens1 '*-TxRx-*')" "5 5 5 5 5 5 5 5"
snapshot /tmp/pinned
ethtool -L ens1 combined 8
wait_carrier ens1
snapshot /tmp/unchanged
check "setting the count that is there changes nothing" same /tmp/pinned /tmp/unchanged

ethtool -L ens1 combined 4
wait_carrier ens1
check "ethtool agrees" equal "$(channels ens1)" 4
check "4 channels have vectors of their own for rx and tx" equal "$(names_of ens1)" \
    "ens1 ens1-rx-0 ens1-rx-1 ens1-rx-2 ens1-rx-3 ens1-tx-0 ens1-tx-1 ens1-tx-2 ens1-tx-3"
check "every affinity is the node's again" equal "$(affinities ens1 '*-?x-*')" "4-7 4-7 4-7 4-7 4-7 4-7 4-7 4-7"
check "XPS of the queues that remain is kept" equal "$(xps ens1)" "5 5 5 5"
check "RPS as well" equal "$(rps ens1)" "4-5 4-5 4-5 4-5"

ethtool -L ens1 combined 8
wait_carrier ens1
check "queues that come back have lost theirs" equal "$(xps ens1)" "5 5 5 5 - - - -"
refused "more than the hardware has" 1 ethtool -L ens1 combined 9

# Set while there is carrier, pause survives the renegotiation that it causes itself.
ethtool -A ens1 autoneg off rx off tx off
check "pause stays off" holds '[ "$(pause ens1)" = "autoneg off rx off tx off" ]' 4
