#!/bin/sh
# steerctl apply and revert on an igb: what the driver undoes when the link is back is right at rest, and every value that
# the channel change lost comes back.
#: cpus 8  nodes 2
#: nic igb node=1
#: needs steerd
#: limit 240
. lib.sh

cat >/tmp/four.ini <<END
[nic igb]
match.driver = igb
cpus = cores(local)
channels = 4
irq = spread
xps = follow-irq
rps = 0-1
pause = off
ring.rx = 512
END

ip link set ens1 up
wait_carrier ens1
set_all ens1 tx xps_cpus 20
set_all ens1 rx rps_cpus 30
for irq in $(irqs_of ens1 '*-TxRx-*'); do echo 6 >"/proc/irq/$irq/smp_affinity_list"; done
at_rest ens1
snapshot /tmp/before

check "a policy that resets the link three times" steerctl apply --policy /tmp/four.ini
check "leaves pause off" equal "$(pause ens1)" "autoneg off rx off tx off"
check "4 channels" equal "$(channels ens1)" 4
check "each vector where the policy says" equal "$(affinities ens1 '*-?x-*')" "4 5 6 7 4 5 6 7"
check "XPS behind it" equal "$(xps ens1)" "4 5 6 7"
check "RPS as asked" equal "$(rps ens1)" "0-1 0-1 0-1 0-1"
at_rest ens1
check "at rest nothing differs" steerctl plan --exit-code --policy /tmp/four.ini
writes_of steerctl apply --policy /tmp/four.ini >/tmp/writes
check "and nothing is written" empty /tmp/writes

# Pause that is set while the link negotiates is taken without an error and turned on again by the driver.
ethtool -A ens1 autoneg off rx on tx on
at_rest ens1
ethtool -L ens1 combined 2
check "applied while the link negotiates" steerctl apply --policy /tmp/four.ini
at_rest ens1
check "pause stays off" equal "$(pause ens1)" "autoneg off rx off tx off"
check "and nothing differs" steerctl plan --exit-code --policy /tmp/four.ini

check "revert" steerctl revert
at_rest ens1
snapshot /tmp/after
check "everything is as it was" same /tmp/before /tmp/after
check "and forgotten" not test -e /run/steerd/originals.json
