#!/bin/sh
# Devices and CPUs come and go while the guest runs, and the words of lib.sh tell the truth about it. Proves the rig itself.
#: cpus 4  nodes 2
#: nic virtio queues=4 node=0
#: port node=1
. lib.sh

check "virtio's vectors bear the virtio device's name" equal "$(names_of ens1 'virtio*-input.*')" \
    "virtio0-input.0 virtio0-input.1 virtio0-input.2 virtio0-input.3"
snapshot /tmp/before

nic=$(plug igb 0)
check "the second slot's name" equal "$nic" ens2
check "on the port's node" equal "$(cat "/sys/class/net/$nic/device/numa_node")" 1
ip link set "$nic" up
wait_carrier "$nic"
check "4 CPUs, so 4 channels: a vector for each rx and tx, and the control vector" equal "$(names_of "$nic" | wc -w)" 9
unplug 0
check "gone" not test -e "/sys/class/net/$nic"
snapshot /tmp/after
check "nothing is left behind" same /tmp/before /tmp/after

irq=$(irq_named virtio0-input.3)
echo 2 >"/proc/irq/$irq/smp_affinity_list"
echo 4 >/sys/class/net/ens1/queues/tx-3/xps_cpus
check "moved to CPU 2" equal "$(affinity "$irq") $(xps ens1)" "2 0 1 2 2"
cpu_off 3
check "CPU 3 is off" equal "$(cat /sys/devices/system/cpu/online)" 0-2
refused "an offline CPU is no affinity" 1 sh -c "echo 3 >/proc/irq/$irq/smp_affinity_list"
cpu_on 3
check "virtio_net has put everything where it pleases" equal "$(affinity "$irq") $(xps ens1)" "3 0 1 2 3"

check "a write is counted" equal "$(writes_of sh -c 'echo 1 >/sys/class/net/ens1/queues/rx-0/rps_cpus' | cut -d' ' -f1 | paste -sd' ')" "open write"
check "a netlink change too" equal "$(writes_of ethtool -L ens1 combined 2)" "netlink ethtool CHANNELS_SET"
check "a question is not" equal "$(writes_of ethtool -l ens1)" ""

outside 'ip addr add 10.9.0.1/24 dev n0 && ip link set n0 up' >/dev/null
ip addr add 10.9.0.2/24 dev ens1
ip link set ens1 up
check "packets pass the tap" ping -c 1 -w 5 10.9.0.1
cable 0 off
wait_for '! has_carrier ens1'
cable 0 on
wait_carrier ens1
check "the cable is back" has_carrier ens1
