#!/bin/sh
# A running steerd keeps igb as the policy says: plugged in, set up, its channels changed by hand, a CPU away and back, set
# down and up, unplugged; and nobody is accused of what drivers and the kernel do by themselves.
#: cpus 4  nodes 2  limit 240
#: port node=1
#: needs steerd
. lib.sh

cat >/tmp/igb.ini <<END
[nic igb]
match.driver = igb
cpus = cores(local)
channels = per-cpu
irq = spread
xps = follow-irq
rps = off
pause = off
END

# said TEXT     the log has it
said() { grep -q -- "$1" /tmp/log; }
# in_force     each of the two queues on its CPU, and no flow control
in_force() {
    [ "$(channels "$nic")" = 2 ] && [ "$(xps "$nic")" = "2 3" ] &&
        [ "$(affinities "$nic" '*-rx-*') $(affinities "$nic" '*-tx-*')" = "2 3 2 3" ] &&
        [ "$(pause "$nic")" = "autoneg off rx off tx off" ]
}

steerd --policy /tmp/igb.ini --log-level debug 2>/tmp/log &
steerd=$!
wait_for "said 'pass over everything'"
check "udev is waited for" said "when udev is done"

nic=$(plug igb 0)
wait_for '[ "$(channels "$nic")" = 2 ]'
ip link set "$nic" up
wait_carrier "$nic"
wait_for in_force
check "its interrupts, which exist from now on, are placed" in_force

ethtool -L "$nic" combined 4
wait_for "said 'channels.combined was changed to .4. by somebody else'"
wait_for in_force
at_rest "$nic"
check "channels by hand are put right, and all that hangs on them" in_force

cpu_off 3
wait_for '[ "$(channels "$nic")" = 1 ]'
cpu_on 3
wait_for in_force
at_rest "$nic"
check "a CPU that went and came is used again" in_force

ip link set "$nic" down
ip link set "$nic" up
wait_carrier "$nic"
at_rest "$nic"
check "down and up" in_force

check "only the hand was noticed" equal "$(grep -c 'somebody else' /tmp/log)" 1
echo 0 >"/proc/irq/$(irqs_of "$nic" '*-rx-1')/smp_affinity_list"
ethtool -G "$nic" rx 512
wait_for in_force
at_rest "$nic"
check "an echo into /proc/irq is found at the next event" in_force

unplug 0
wait_for "said 'event: removed'"
nic=$(plug igb 0)
ip link set "$nic" up
wait_carrier "$nic"
wait_for in_force
check "the same port again" in_force

kill $steerd
wait $steerd
check "the end leaves all as it is" in_force
check "nothing differs" steerctl plan --exit-code --policy /tmp/igb.ini
check "revert" steerctl revert
