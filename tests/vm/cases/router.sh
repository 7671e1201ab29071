#!/bin/sh
# Two cores, one port with a single queue, VLANs, a bridge: interrupts on CPU 0, RPS of the bridge on CPU 1 (etc/bcm53xx.ini);
# and what a device with one queue, and a CPU that is off, cannot have.
#: machine router
#: needs steerd
#: add tests/vm/guest/policy.sh
#: limit 300
. lib.sh
. policy.sh

ip link add link eth0 name eth0.1 type vlan id 1
ip link add link eth0 name eth0.2 type vlan id 2
ip link add br-lan type bridge
ip link set eth0.1 master br-lan
for nic in eth0 eth0.1 eth0.2 br-lan; do ip link set $nic up; done
wait_carrier eth0
wait_carrier br-lan
echo 3 >/sys/class/net/eth0.2/queues/rx-0/rps_cpus
at_rest br-lan
snapshot /tmp/before

check "the policy as it is shipped" steerd --once --policy /etc/steerd/bcm53xx.ini
check "RPS of the bridge on CPU 1" equal "$(rps br-lan)" 1
check "none for the port; the VLANs are nobody's" equal "$(rps eth0) $(rps eth0.1) $(rps eth0.2)" "- - 0-1"
check "interrupts of the queue on CPU 0" equal "$(placed eth0)" 0
snapshot /tmp/after
check "nothing else" equal "$(diff -U0 /tmp/before /tmp/after | grep '^+[^+]' | grep -vc ' irq [0-9]* msix eth0-.x-0 ')" 1
check "once is enough" writes_nothing steerd --once --policy /etc/steerd/bcm53xx.ini
check "the way back" steerctl revert
snapshot /tmp/after
check "everything is what it was" same /tmp/before /tmp/after

sed 's/^match.name *= eth0/&\nirq.control = 0\nxps = 1\npause = off/' /etc/steerd/bcm53xx.ini >/tmp/router.ini
check "XPS of a single queue is no error" says 'xps.*skipped' 0 steerd --once --policy /tmp/router.ini
check "interrupts of the queue on CPU 0" equal "$(placed eth0)" 0
check "that of the link too" equal "$(affinity "$(irq_named eth0)")" 0
check "RPS as before" equal "$(rps br-lan) $(rps eth0)" "1 -"
check "flow control stays off" calm eth0 3
check "once is enough with interrupts" writes_nothing steerd --once --policy /tmp/router.ini
check "the way back from there" steerctl revert
wait_carrier eth0
wait_carrier br-lan
snapshot /tmp/after
check "everything is what it was before" same /tmp/before /tmp/after

# An offline CPU is silently masked out of rps_cpus by the kernel: the write succeeds and turns RPS off.
cat >/tmp/offline.ini <<END
[nic bridge]
match.name = br-lan
rps = 1
END
cpu_off 1
echo 2 >/sys/class/net/br-lan/queues/rx-0/rps_cpus
check "the kernel turns it off" equal "$(rps br-lan)" -
check "which is all that can be had, and why is told" says 'CPU 1 .*online' 0 steerctl explain br-lan --policy /tmp/offline.ini
check "nothing is written for ever" writes_nothing steerd --once --policy /tmp/offline.ini
cpu_on 1
check "the CPU is back" steerd --once --policy /tmp/offline.ini
check "and so is RPS" equal "$(rps br-lan)" 1
