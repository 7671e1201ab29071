#!/bin/sh
# Four cores, three igb ports and etc/apu2.ini as it is shipped: interrupts that exist only when the link comes up are right
# whichever comes first.
#: machine apu2
#: needs steerd
#: add tests/vm/guest/policy.sh
#: limit 300
. lib.sh
. policy.sh

policy=/etc/steerd/apu2.ini
nics='enp1s0 enp2s0 enp3s0'
sysctls() { (cd /proc/sys/net && grep -r . ipv4/ip_forward ipv4/conf/*/send_redirects ipv6/conf/*/accept_redirects ipv6/conf/all/forwarding); }

in_force() {
    check "$1 has a channel for each core" equal "$(channels "$1")" 4
    check "$1: queue i on CPU i" equal "$(placed "$1")" "0 1 2 3"
    check "$1: sends from there" equal "$(xps "$1")" "0 1 2 3"
    check "$1: RPS is off" equal "$(rps "$1")" "- - - -"
    check "$1: flow control is off" equal "$(pause "$1")" "autoneg off rx off tx off"
    check "$1: it makes no large segments" not grep -q 'on$' "$(segmentation "$1")"
}
# segmentation IF     a file with the features that cut TCP up, as ethtool tells them
segmentation() { ethtool -k "$1" | grep 'tx-tcp.*-segmentation: [a-z]*$' >/tmp/segmentation && echo /tmp/segmentation; }

for nic in $nics; do ethtool -L "$nic" combined 2; done
snapshot /tmp/down
sysctls >/tmp/sysctls
for nic in $nics; do ethtool -k "$nic"; done >/tmp/features
check "it does make large segments as it comes up" grep -q 'tx-tcp-segmentation: on' /tmp/features
check "before any link is up" steerd --once --policy $policy
check "no interrupt came of it" equal "$(names_of enp1s0 '?*')" ""
check "4 channels" equal "$(channels enp1s0) $(channels enp2s0) $(channels enp3s0)" "4 4 4"
check "flow control is off" equal "$(pause enp1s0)" "autoneg off rx off tx off"
check "this machine forwards" equal "$(cat /proc/sys/net/ipv4/ip_forward /proc/sys/net/ipv6/conf/all/forwarding | paste -sd' ')" "1 1"
check "and sends no redirects" equal "$(cat /proc/sys/net/ipv4/conf/*/send_redirects | sort -u)" 0
check "once is enough before" writes_nothing steerd --once --policy $policy
check "the way back" steerctl revert
snapshot /tmp/after
sysctls >/tmp/sysctls-after
check "everything is what it was" same /tmp/down /tmp/after
check "so are the sysctls" same /tmp/sysctls /tmp/sysctls-after
for nic in $nics; do ethtool -k "$nic"; done >/tmp/features-after
check "and the offloads" same /tmp/features /tmp/features-after

check "once more before the link is up" steerd --once --policy $policy
for nic in enp1s0 enp2s0; do ip link set "$nic" up; done
for nic in enp1s0 enp2s0; do wait_carrier "$nic"; done
check "interrupts exist, and are not placed" equal "$(placed enp1s0)" "0-3 0-3 0-3 0-3"
check "behind the link" steerd --once --policy $policy
in_force enp1s0
in_force enp2s0
check "flow control stays off" calm enp2s0 3

sed 's/^pause .*/pause = off\nlink = up/' $policy >/tmp/up.ini
ethtool -L enp3s0 combined 1
check "the policy sets the link up itself" steerd --once --policy /tmp/up.ini
wait_carrier enp3s0
for nic in $nics; do in_force "$nic"; done
check "flow control stays off there too" calm enp3s0 4
check "once is enough" writes_nothing steerd --once --policy /tmp/up.ini

check "the way back from links that are up" steerctl revert
for nic in $nics; do wait_carrier "$nic"; done
check "channels are what they were" equal "$(channels enp1s0) $(channels enp2s0) $(channels enp3s0)" "2 2 2"
check "interrupts are nobody's, and XPS" equal "$(placed enp1s0) / $(xps enp1s0)" "0-3 0-3 / - -"
check "flow control is negotiated" equal "$(pause enp1s0) $(pause enp3s0)" "autoneg on rx on tx on autoneg on rx on tx on"
sysctls >/tmp/sysctls-after
check "the sysctls are what they were" same /tmp/sysctls /tmp/sysctls-after
