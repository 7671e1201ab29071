# Shows what a driver makes of its device in each state: the whole at first, then what each step changed. The host's
# tests/vm/observe runs it, with the driver's name in $driver. Judges nothing.
# shellcheck shell=dash
. lib.sh

# The device of each driver. $nic is its name.
case $driver in
igb | e1000e | virtio_net | vmxnet3) nic=ens1 ;;
netdevsim) nic=$(netdevsim 8) ;;
veth)
    nic=veth0
    ip link add veth0 numrxqueues 8 numtxqueues 8 type veth peer name veth1 numrxqueues 8 numtxqueues 8
    ip link set veth1 up ;;
bridge | bond | vlan)
    ip link add veth0 numrxqueues 4 numtxqueues 4 type veth peer name veth1 numrxqueues 4 numtxqueues 4
    ip link set veth1 up ;;
esac
case $driver in
bridge)
    nic=br0
    ip link add br0 type bridge
    ip link set veth0 master br0 ;;
bond)
    nic=bond0
    ip link add bond0 type bond mode active-backup miimon 100
    ip link set veth0 master bond0 ;;
vlan)
    nic=veth0.10
    ip link add link veth0 name veth0.10 type vlan id 10
    ip link set veth0 up ;;
esac

# The lines of /proc/interrupts that are the device's, without the counts.
interrupts() {
    local irq
    for irq in $(irqs_of "$nic"); do
        awk -v irq="$irq:" -v nic="$nic" 'NR == 1 {cpus = NF} $1 == irq {
            printf "%s /proc/interrupts irq %d", nic, irq
            for (i = cpus + 2; i <= NF; i++) printf " %s", $i
            print ""
        }' /proc/interrupts
    done
}

look() {
    snap "$nic"
    interrupts
    napi "$nic" | sed "s/^/$nic netdev-genl /"
}

# step WHAT COMMAND...     its status and message, and the lines that it took away (-) and brought (+)
step() {
    local what="$1" status=0 said
    shift
    look >/tmp/before
    said=$("$@" 2>&1) || status=$?
    settled
    [ ! -e /tmp/had_carrier ] || [ "$what" = down ] || wait_carrier "$nic"
    at_rest "$nic"
    look >/tmp/after
    echo
    echo "== $what: status $status${said:+, $(echo "$said" | head -n 1)}"
    diff -U0 /tmp/before /tmp/after | grep '^[-+][^-+]' || echo "(nothing changed)"
}

# Everything somewhere else than any driver would put it, as far as the device has it.
pin() {
    local irq
    for irq in $(irqs_of "$nic"); do
        [ ! -e "/proc/irq/$irq" ] || echo 6 >"/proc/irq/$irq/smp_affinity_list"
    done
    set_all "$nic" tx xps_cpus 40 || :
    set_all "$nic" rx rps_cpus 81 || :
    set_all "$nic" rx rps_flow_cnt 256 || :
} 2>/dev/null

# A step on a device that is pinned again, so that each shows what it alone gives up.
pinned_step() {
    pin
    step "$@"
}

echo "== before the first up"
echo "$nic device $(readlink "/sys/class/net/$nic/device" || echo none)"
echo "$nic subsystem $(basename "$(readlink -f "/sys/class/net/$nic/device/subsystem")")"
grep DEVTYPE "/sys/class/net/$nic/uevent" | sed "s/^/$nic /"
look
step "up" ip link set "$nic" up
wait_for "[ \"\$(cat /sys/class/net/$nic/operstate)\" != down ]"
at_rest "$nic"
! has_carrier "$nic" || : >/tmp/had_carrier
step "everything pinned to CPU 6" pin
for count in 4 2 8; do
    pinned_step "ethtool -L combined $count" ethtool -L "$nic" combined $count
done
pinned_step "ethtool -L combined 8 again" ethtool -L "$nic" combined 8
pinned_step "ethtool -L rx 2 tx 2" ethtool -L "$nic" rx 2 tx 2
pinned_step "ethtool -A autoneg on rx off tx off" ethtool -A "$nic" autoneg on rx off tx off
pinned_step "ethtool -A autoneg off rx off tx off" ethtool -A "$nic" autoneg off rx off tx off
pinned_step "ethtool -G rx 128 tx 128" ethtool -G "$nic" rx 128 tx 128
pinned_step "down" ip link set "$nic" down
step "up again" ip link set "$nic" up
pinned_step "CPU 6 off" cpu_off 6
step "CPU 6 on" cpu_on 6

check "everything was shown" true
