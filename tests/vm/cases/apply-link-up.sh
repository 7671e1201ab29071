#!/bin/sh
# A NIC that is down has no interrupts yet: a policy that sets it up places them once they exist.
#: cpus 4  nodes 2
#: nic igb node=1
#: needs steerd
. lib.sh

cat >/tmp/up.ini <<END
[nic igb]
match.driver = igb
cpus = cores(local)
channels = per-cpu
irq = spread
irq.control = 0
xps = follow-irq
pause = off
link = up
END

check "down, and no vector requested" equal "$(names_of ens1 '?*')" ""
before="$(channels ens1)"
check "apply" steerctl apply --policy /tmp/up.ini
check "2 channels" equal "$(channels ens1)" 2
check "each vector where the policy says" equal "$(affinities ens1 '*-?x-*')" "2 3 2 3"
check "the control vector too" equal "$(affinity "$(irq_named ens1)")" 0
check "XPS behind them" equal "$(xps ens1)" "2 3"
at_rest ens1
check "at rest nothing differs" steerctl plan --exit-code --policy /tmp/up.ini
check "pause that was set while down is off" equal "$(pause ens1)" "autoneg off rx off tx off"
check "revert" steerctl revert
check "the link stays up" has_carrier ens1
check "the channels are back" equal "$(channels ens1)" "$before"
check "and the vectors on their node" equal "$(affinities ens1 '*-?x-*')" "2-3 2-3 2-3 2-3 2-3 2-3 2-3 2-3"
