# Shows what a driver makes of its device in each state: the whole at first, then what each step changed. The host's
# tests/vm/observe runs it, with the driver's name in $driver. Judges nothing.
# shellcheck shell=dash
. lib.sh

# The device of each driver. These two negotiate the link anew after every change, and undo some of it then.
negotiates=
case $driver in
igb | e1000e) nic=ens1 negotiates=yes ;;
virtio_net | vmxnet3) nic=ens1 ;;
netdevsim) nic=$(netdevsim 8) ;;
veth | bridge | bond | vlan)
    nic=veth0
    ip link add veth0 numrxqueues 8 numtxqueues 8 type veth peer name veth1 numrxqueues 8 numtxqueues 8
    ip link set veth1 up ;;
esac
case $driver in
bridge)
    nic=br0
    ip link add br0 type bridge forward_delay 0
    ip link set veth0 master br0
    ip link set veth0 up ;;
bond)
    nic=bond0
    modprobe bonding max_bonds=0
    ip link add bond0 type bond mode active-backup miimon 100
    ip link set veth0 master bond0 ;;
vlan)
    nic=veth0.10
    ip link add link veth0 name veth0.10 type vlan id 10
    ip link set veth0 up ;;
esac

rested() {
    settled
    if [ -n "$negotiates" ]; then
        [ "$what" = down ] || wait_carrier "$nic"
        at_rest "$nic"
    else
        at_rest "$nic" 1
    fi
}

# The lines of /proc/interrupts that are the device's, without the counts. (An interrupt without a user has a line only
# if it has ever come.)
interrupts() {
    local irq
    for irq in $(irqs_of "$nic" '?*'); do
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
    rested
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

# A vector whose only CPU goes away falls back to its node or to all CPUs: to the former if it has never come on that CPU.
cpu_step() {
    step "$@" | sed 's/affinity \(4-7\|0-5,7\) /affinity (node or all) /'
}

# A step on a device that is pinned again, so that each shows what it alone gives up.
pinned_step() {
    pin
    step "$@"
}

echo "== before the first up"
if [ -e "/sys/class/net/$nic/device" ]; then
    echo "$nic device $(readlink "/sys/class/net/$nic/device")"
    echo "$nic subsystem $(basename "$(readlink -f "/sys/class/net/$nic/device/subsystem")")"
else
    echo "$nic no device"
fi
grep DEVTYPE "/sys/class/net/$nic/uevent" | sed "s/^/$nic /"
look
step "up" ip link set "$nic" up
step "everything pinned to CPU 6" pin
for count in 4 2 8; do
    pinned_step "ethtool -L combined $count" ethtool -L "$nic" combined $count
done
max=$(ethtool -l "$nic" 2>/dev/null | awk '/^Combined:/ && $2 ~ /^[1-9]/ {print $2; exit}')
[ -z "$max" ] || pinned_step "ethtool -L combined $max, the maximum" ethtool -L "$nic" combined "$max"
pinned_step "ethtool -L rx 2 tx 2" ethtool -L "$nic" rx 2 tx 2
pinned_step "ethtool -A autoneg on rx off tx off" ethtool -A "$nic" autoneg on rx off tx off
pinned_step "ethtool -A autoneg off rx off tx off" ethtool -A "$nic" autoneg off rx off tx off
pinned_step "ethtool -G rx 128 tx 128" ethtool -G "$nic" rx 128 tx 128
pinned_step "down" ip link set "$nic" down
step "up again" ip link set "$nic" up
pin
cpu_step "CPU 6 off" cpu_off 6
cpu_step "CPU 6 on" cpu_on 6

check "everything was shown" true
