# The words that cases are written in; a case begins with `. lib.sh`. It looks and waits, and judges nothing by itself.
# shellcheck shell=dash
#
# A case ends at its first failing check, and prints what the guest saw at that moment. Forking costs 25 ms in the
# guest: what is asked often is read by the shell itself.

vm_checks=0

case $- in
*i*)
    PS1='guest:\w# ' ;;
*)
    set -eu
    trap vm_ended EXIT ;;
esac

# --- checks ----------------------------------------------------------------------------------------------------------

# check WHAT COMMAND...     COMMAND must succeed
check() {
    local what="$1" status=0
    shift
    "$@" >/run/vm/output 2>&1 || status=$?
    [ $status -eq 0 ] || vm_fail "$what" "status $status" "$@"
    vm_checks=$((vm_checks + 1))
    echo "ok      $what"
}

# refused WHAT STATUS COMMAND...     COMMAND must end with exactly this status
refused() {
    local what="$1" want="$2" status=0
    shift 2
    "$@" >/run/vm/output 2>&1 || status=$?
    [ $status -eq "$want" ] || vm_fail "$what" "status $status, not $want" "$@"
    vm_checks=$((vm_checks + 1))
    echo "ok      $what"
}

# skip REASON     ends the case: this machine cannot tell
skip() {
    echo "skip: $1"
    exit 77
}

# What a check can say of values and files. They print what is wrong.
equal() {
    [ "$1" = "$2" ] && return
    printf 'got     %s\nwanted  %s\n' "$1" "$2"
    return 1
}
same() { diff -U0 "$1" "$2"; }
empty() { [ ! -s "$1" ] || { cat "$1"; return 1; }; }
not() { ! "$@"; }

# vm_fail WHAT HOW [COMMAND...]     ends the case; /run/vm/output is what the command printed
vm_fail() {
    : >/run/vm/failed
    {
        echo "NOT OK  $1"
        shift
        case ${2:-} in
        equal | same | empty) echo "        $1 of: $2" ;;   # these print their arguments
        *) echo "        $1${2:+ of:}$(shift && [ $# -eq 0 ] || printf ' %s' "$@")" ;;
        esac
        sed 's/^/        | /' /run/vm/output
        vm_view
    } >&2
    exit 1
}

# What the guest sees: settings, and the kernel's last words.
vm_view() {
    echo '--- what the guest sees -------------------------------------------------------'
    snap
    echo '--- kernel log ----------------------------------------------------------------'
    dmesg | tail -n 15
    echo '-------------------------------------------------------------------------------'
}

vm_ended() {
    local status=$?
    [ ! -e /run/vm/failed ] || exit 1
    if [ $status -ne 0 ] && [ $status -ne 77 ]; then
        echo "NOT OK  a command outside of any check ended the case with status $status, after $vm_checks checks"
        vm_view
    elif [ $status -eq 0 ] && [ $vm_checks -eq 0 ]; then
        echo 'NOT OK  the case has checked nothing'
        exit 1
    fi >&2
}

# --- waiting ---------------------------------------------------------------------------------------------------------

# Seconds since boot.
vm_now() { read -r vm_time _ </proc/uptime && vm_time=${vm_time%.*}; }

# wait_for 'CONDITION' [LIMIT]     until a shell condition holds; to fail it within LIMIT seconds (60) fails the case
wait_for() {
    local end
    vm_now
    end=$((vm_time + ${2:-60}))
    until eval "$1" >/run/vm/output 2>&1; do
        vm_now
        [ "$vm_time" -lt $end ] || vm_fail "waited ${2:-60} s for: $1" "not so"
        usleep 20000
    done
}

# holds 'CONDITION' SECONDS     a condition that stays true that long; fails at once when it ceases
holds() {
    local end
    vm_now
    end=$((vm_time + $2))
    while eval "$1"; do
        vm_now
        [ "$vm_time" -lt $end ] || return 0
        usleep 200000
    done
    return 1
}

# at_rest IF [SECONDS]     waits until the device's settings have not changed for 3 s: drivers undo things after link up
at_rest() {
    until snap "$1" >/run/vm/rest && holds "snap $1 | cmp -s - /run/vm/rest" "${2:-3}"; do :; done
}

# Carrier, and the kernel has drawn the consequences: operstate follows it by up to a second.
has_carrier() {
    local carrier operstate
    read -r carrier 2>/dev/null <"/sys/class/net/$1/carrier" && [ "$carrier" = 1 ] &&
        read -r operstate <"/sys/class/net/$1/operstate" && [ "$operstate" != down ]
}
wait_carrier() { wait_for "has_carrier $1" "${2:-60}"; }
settled() { udevadm settle; }

# --- interrupts ------------------------------------------------------------------------------------------------------

# name_of IRQ     what it serves; empty when nobody requested it
name_of() {
    local name
    read -r name 2>/dev/null <"/sys/kernel/irq/$1/actions" || name=
    echo "$name"
}

# irqs_of IF [GLOB]     the device's interrupts whose name matches, ascending, one a line
irqs_of() {
    local dir="/sys/class/net/$1/device" glob="${2:-*}" file name
    [ -d "$dir/msi_irqs" ] || dir="$dir/.."   # a virtio device's belong to its PCI function
    for file in "$dir"/msi_irqs/*; do
        read -r name 2>/dev/null <"/sys/kernel/irq/${file##*/}/actions" || name=
        # shellcheck disable=SC2254
        case $name in $glob) echo "${file##*/}" ;; esac
    done | sort -n
}

# names_of IF [GLOB]     the names of these interrupts, in one line
names_of() {
    local irq
    # shellcheck disable=SC2005,SC2046
    echo $(for irq in $(irqs_of "$@"); do name_of "$irq"; done)
}

# irq_named NAME     the number of the interrupt with exactly this name
irq_named() {
    local file name
    for file in /sys/kernel/irq/*/actions; do
        read -r name <"$file" || continue
        [ "$name" != "$1" ] || { file=${file%/actions}; echo "${file##*/}"; return; }
    done
    return 1
}

# affinity IRQ     where it may run, as a CPU list
affinity() {
    local cpus
    read -r cpus <"/proc/irq/$1/smp_affinity_list" && echo "$cpus"
}

# affinities IF GLOB     the CPU lists of the vectors whose name matches, by their names' own numbers: "0 1 2 3"
affinities() {
    local irq
    # shellcheck disable=SC2005,SC2046
    echo $(for irq in $(irqs_of "$@"); do
        echo "$(name_of "$irq") $(affinity "$irq")"
    done | sort -V | cut -d' ' -f2)
}

# --- queues and settings ---------------------------------------------------------------------------------------------

# rps IF, xps IF     the CPU list of each queue, "-" when it is empty, "!" when it cannot be read: "0-3 - -"
rps() { vm_masks "$1" rx rps_cpus; }
xps() { vm_masks "$1" tx xps_cpus; }

vm_masks() {
    local queue=0 dir mask
    while dir="/sys/class/net/$1/queues/$2-$queue" && [ -d "$dir" ]; do
        read -r mask 2>/dev/null <"$dir/$3" || mask='!'
        echo "$mask"
        queue=$((queue + 1))
    done | awk -f /vm/masks.awk
}

# set_all IF rx|tx SETTING VALUE     the same value for every queue
set_all() {
    local file
    for file in "/sys/class/net/$1/queues/$2"-*/"$3"; do
        echo "$4" >"$file"
    done
}

# channels IF [KIND], rings IF, pause IF     by the ethtool program: "4", "rx 256 tx 256", "autoneg off rx off tx off"
channels() { ethtool -l "$1" | awk -v k="${2:-combined}" '/^Current/ {c = 1} c && tolower($1) == k ":" {print $2}'; }
rings() { ethtool -g "$1" | awk '/^Current/ {c = 1} c && /^(RX|TX):/ {printf "%s %s %s", s, tolower($1), $2; s = " "}' | tr -d :; }
pause() { ethtool -a "$1" | awk '/^(Autonegotiate|RX|TX):/ {sub("otiate", ""); sub(":", ""); print tolower($1), $2}' | paste -sd' '; }

# snapshot FILE     all of it, to be compared later by `same`; but for the operational state, which follows the carrier late
snapshot() { snap | sed 's/ operstate [^ ]*//' >"$1"; }

# writes_of COMMAND...     a line for each write that it attempted to the kernel; its output is in /run/vm/output. On one
#                          CPU and without a stop at every read: to wake another emulated CPU costs milliseconds
writes_of() {
    local status=0
    taskset 1 strace --seccomp-bpf -f -yy -qq -s 16 -o /run/vm/trace -e signal=none \
        -e trace=open,openat,openat2,creat,write,writev,pwrite64,pwritev,pwritev2,sendfile,splice,send,sendto,sendmsg,sendmmsg,ioctl \
        "$@" >/run/vm/output 2>&1 || status=$?
    awk -f /vm/writes.awk /run/vm/trace
    return $status
}

# --- the machine changes ---------------------------------------------------------------------------------------------

cpu_off() { echo 0 >"/sys/devices/system/cpu/cpu$1/online"; }
cpu_on() { echo 1 >"/sys/devices/system/cpu/cpu$1/online"; }

# qmp COMMAND [ARGUMENTS]     asks QEMU's monitor, or the rig; prints the one-line answer, fails when it is an error
qmp() {
    local answer
    exec 9<>/dev/ttyS1
    echo "{\"execute\": \"$1\"${2:+, \"arguments\": $2}}" >&9
    read -r answer <&9
    exec 9>&-
    echo "$answer"
    case $answer in *'"error": {'*) return 1 ;; esac
}

check_qmp() { qmp "$@" >/run/vm/output || vm_fail "QEMU does as it is told" refused "$@"; }

# plug MODEL PORT [QUEUES]     puts a NIC into a `port` of the machine (0, 1, ...) and prints the new interface's name
plug() {
    local driver="$1" mac file backend='"type": "user", "restrict": true' more=
    mac=$(printf '52:54:00:00:01:%02x' "$2")
    [ "$driver" != virtio ] || driver=virtio-net-pci
    if [ "${3:-1}" -gt 1 ]; then
        backend="\"type\": \"tap\", \"ifname\": \"hn$2\", \"script\": \"no\", \"downscript\": \"no\", \"queues\": $3"
        more=", \"mq\": true, \"vectors\": $((2 * $3 + 2))"
    fi
    check_qmp netdev_add "{\"id\": \"hn$2\", $backend}"
    check_qmp device_add "{\"driver\": \"$driver\", \"id\": \"plugged$2\", \"bus\": \"hp$2\", \"netdev\": \"hn$2\", \"mac\": \"$mac\", \"romfile\": \"\"$more}"
    wait_for "grep -qx $mac /sys/class/net/*/address"
    settled
    file=$(grep -lx "$mac" /sys/class/net/*/address)
    file=${file%/address}
    echo "${file##*/}"
}

# netdevsim QUEUES     makes a simulated device (the machine needs netdevsim) and prints the new interface's name
netdevsim() {
    [ -d /sys/bus/netdevsim ] || { modprobe psample && insmod /vm/netdevsim.ko; }
    local id=1
    while [ -d "/sys/bus/netdevsim/devices/netdevsim$id" ]; do id=$((id + 1)); done
    echo "$id 1 $1" >/sys/bus/netdevsim/new_device
    settled
    ls "/sys/bus/netdevsim/devices/netdevsim$id/net"
}

# unplug PORT     asks for its removal and waits until the device is gone (6 s: the kernel gives the operator five)
unplug() {
    check_qmp device_del "{\"id\": \"plugged$1\"}"
    check_qmp rig-event "{\"event\": \"DEVICE_DELETED\", \"device\": \"plugged$1\"}"
    check_qmp netdev_del "{\"id\": \"hn$1\"}"
    settled
}

# cable NIC on|off     the far end of the machine's n-th NIC
cable() {
    local up=false
    [ "$2" != on ] || up=true
    check_qmp set_link "{\"name\": \"nic$1\", \"up\": $up}"
}

# outside COMMAND     runs a shell command on the far side of the taps: n0, n1, ... of the NICs, hn0, ... of the ports
outside() {
    local command answer
    command=$(echo "$1" | sed 's/[\\"]/\\&/g')
    answer=$(qmp rig-outside "{\"command\": \"$command\"}") || { echo "$answer"; return 1; }
    answer=${answer#'{"return": "'}
    printf '%b' "${answer%'"}'}"
}
