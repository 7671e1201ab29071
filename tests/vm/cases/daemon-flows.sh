#!/bin/sh
# Flow offloading is turned on, moved, and off again while steerd runs: the bridge is steered without it, the port with it; and a
# ruleset that changes otherwise is no reason to look.
#: machine router
#: needs steerd
#: limit 240
. lib.sh

# rules [DEVICES [FLAGS]]     the firewall, with flows of these devices offloaded
rules() {
    local flowtable='' offload=''
    [ $# -eq 0 ] || flowtable="flowtable ft { hook ingress priority 0; devices = { $1 }; ${2:-} }" offload='meta l4proto tcp flow add @ft;'
    nft -f - <<END
table inet fw4
delete table inet fw4
table inet fw4 {
    $flowtable
    chain pass { type filter hook forward priority 0; $offload ct state established,related accept; }
}
END
}
# steered ETH0 BRIDGE     the CPUs of RPS
steered() { [ "$(rps eth0) $(rps br-lan)" = "$1 $2" ]; }
heard() { grep -c '^event: flows' /tmp/log; }

modprobe -a nf_tables nft_flow_offload nf_flow_table nf_flow_table_inet nft_ct 8021q bridge
ip link add link eth0 name eth0.1 type vlan id 1
ip link add link eth0 name eth0.2 type vlan id 2
ip link add br-lan type bridge
ip link set eth0.1 master br-lan
for nic in eth0 eth0.1 eth0.2 br-lan; do ip link set $nic up; done
wait_carrier eth0
wait_carrier br-lan

check "without a ruleset: off" steerd --once --policy /etc/steerd/bcm53xx.ini
check "the bridge is steered" steered - 1

steerd --policy /etc/steerd/bcm53xx.ini --log-level debug 2>/tmp/log &
steerd=$!
wait_for 'grep -q "^pass over" /tmp/log'

rules
check "a ruleset without flowtables changes nothing" holds 'steered - 1' 2
rules eth0
wait_for 'steered 1 1'
check "a flowtable on the port: the port is steered" steered 1 1
check "what it is, is told" eval 'steerctl show --policy /etc/steerd/bcm53xx.ini | grep -q "flow offloading by ft of inet fw4 (eth0)"'
check "and why" eval 'steerctl explain eth0 --policy /etc/steerd/bcm53xx.ini | grep -q "flowtable ft of inet fw4 hooks eth0"'

before=$(heard)
nft add rule inet fw4 pass counter
nft add table inet other
check "rules that have nothing to do with it are no reason to look" holds '[ "$(heard)" = "$before" ]' 2

rules br-lan,eth0.2
wait_for 'steered - 1'
check "above the port: the bridge again" steered - 1
rules eth0
wait_for 'steered 1 1'
nft flush chain inet fw4 pass
wait_for 'steered - 1'
check "no rule sends flows to it: the bridge again" steered - 1
rules eth0
wait_for 'steered 1 1'

# e1000e offloads nothing in hardware, and the kernel refuses the flag for it
if rules eth0 'flags offload;' 2>/dev/null; then
    wait_for 'steered - -'
    check "in hardware: neither" steered - -
fi
nft flush ruleset
wait_for 'steered - 1'
check "the ruleset is gone: the bridge again" steered - 1

cat >/tmp/plain.ini <<END
[nic port]
match.name = eth0
rps = off
END
check "nobody is accused of anything" not grep -q "somebody else" /tmp/log
kill $steerd
wait $steerd
check "it does not listen where nobody asks" eval "strace -f -e trace=socket steerd --once --policy /tmp/plain.ini 2>&1 | not grep -q NETLINK_NETFILTER"
