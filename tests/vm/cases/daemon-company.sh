#!/bin/sh
# A running steerd is not alone: irqbalance runs beside it and is named as the one who moves interrupts; an e1000e is
# plugged in; a NIC is pulled out while its settings are being written, and plugged in again.
#: cpus 4  nodes 2  limit 300
#: nic igb node=1
#: port node=1
#: port node=1
#: needs steerd irqbalance
. lib.sh

cat >/tmp/company.ini <<END
[nic igb]
match.driver = igb
cpus = cores(local)
channels = 2
irq = spread
irq.control = 3
pause = off

[nic e1000e]
match.driver = e1000e
irq = 3
rps = 2
pause = off

[daemon]
audit = 1s
END

said() { grep -q -- "$1" /tmp/log; }
# steered IF     each of an igb's two queues on its CPU, and no flow control
steered() {
    [ "$(channels "$1")" = 2 ] && [ "$(affinities "$1" '*-rx-*') $(affinities "$1" '*-tx-*')" = "2 3 2 3" ] &&
        [ "$(pause "$1")" = "autoneg off rx off tx off" ]
}
ip link set ens1 up
wait_carrier ens1
steerd --policy /tmp/company.ini --log-level debug 2>/tmp/log &
steerd=$!
wait_for 'steered ens1'
check "alone, it has its way" steered ens1

irqbalance --foreground --interval=1 >/tmp/irqbalance.log 2>&1 &
irqbalance=$!
wait_for "said 'somebody else.*likely irqbalance'" 120
check "irqbalance is named" said "likely irqbalance"
kill $irqbalance
wait $irqbalance || true
sed -i '/^.daemon]/,$d' /tmp/company.ini   # from here on events alone tell
kill -HUP $steerd
wait_for 'steered ens1'
check "and without it the policy is in force" steered ens1

nic=$(plug e1000e 0)
wait_for '[ "$(rps "$nic")" = 2 ]'
ip link set "$nic" up
wait_carrier "$nic"
wait_for '[ "$(affinities "$nic" "*-?x-0")" = "3 3" ]'
at_rest "$nic"
check "an e1000e is steered when it comes" equal "$(affinities "$nic" '*-?x-0') $(rps "$nic") $(pause "$nic")" "3 3 2 autoneg off rx off tx off"

kill $steerd
wait $steerd

# The moment after the originals are saved and before the first write: there it stands until the device is gone.
nic=$(plug igb 1)
strace -D -f -o /tmp/trace -e trace=rename -e inject=rename:signal=SIGSTOP:when=1 steerd --policy /tmp/company.ini --log-level debug 2>/tmp/log &
steerd=$!
wait_for 'grep -q "stopped by SIGSTOP" /tmp/trace'
echo 1 >"/sys/class/net/$nic/device/remove"
wait_for '[ ! -e "/sys/class/net/$nic" ]'
kill -CONT $steerd
wait_for "said 'event: removed'"
wait_for 'steered ens1'
check "the others are steered though one was pulled out" steered ens1
check "it runs on" kill -0 $steerd
echo 1 >/sys/bus/pci/rescan
settled
wait_for '[ -e "/sys/class/net/$nic" ]'
ip link set "$nic" up
wait_carrier "$nic"
wait_for 'steered "$nic"'
check "and it too, when it is back" steered "$nic"
kill -KILL $steerd
wait $steerd || true
check "nothing differs" steerctl plan --exit-code --policy /tmp/company.ini
check "revert" steerctl revert
