#!/bin/sh
# What the kernel answers when an interrupt cannot be moved is put into its mouth by strace, one vector at a time: each
# refusal means what it should, and the other vectors are placed all the same.
#: cpus 8  nodes 2
#: nic igb node=1
#: needs steerd
#: limit 240
. lib.sh

cat >/tmp/spread.ini <<END
[nic igb]
match.driver = igb
cpus = cores(local)
irq = spread
END

# refuses IRQ ERRNO WHEN     applies while writes to this vector's affinity fail
refuses() {
    strace -f --seccomp-bpf -o /tmp/trace -P "/proc/irq/$1/smp_affinity_list" -e trace=write -e "inject=write:error=$2:when=$3" \
        steerctl apply --policy /tmp/spread.ini
}
again() { for irq in $(irqs_of ens1 '*-?x*-*'); do echo 4-7 >"/proc/irq/$irq/smp_affinity_list"; done; }

ip link set ens1 up
wait_carrier ens1
ethtool -L ens1 combined 4
wait_carrier ens1
first="$(irq_named ens1-rx-0)"

check "managed: EIO is no failure" refuses "$first" EIO 1+
cp /run/vm/output /tmp/said
check "it is said" grep -q "manages this interrupt.*EIO" /tmp/said
check "the others are placed" equal "$(affinities ens1 'ens1-?x-*')" "4-7 5 6 7 4 5 6 7"

again
check "managed, since 6.12: EPERM is none either" refuses "$first" EPERM 1+
check "the others are placed" equal "$(affinities ens1 'ens1-?x-*')" "4-7 5 6 7 4 5 6 7"

again
check "EBUSY once: placed in the next round" refuses "$first" EBUSY 1
check "all are placed" equal "$(affinities ens1 'ens1-?x-*')" "4 5 6 7 4 5 6 7"

again
check "EBUSY again: left for later" refuses "$first" EBUSY 1+
check "and tried no more than twice" equal "$(grep -c EBUSY /tmp/trace)" 2

again
check "no vector free on CPU 4" refuses "$first" ENOSPC 1
cp /run/vm/output /tmp/said
check "the next CPU of the same cache has it" equal "$(affinities ens1 'ens1-rx-*')" "5 5 6 7"
check "it is said" grep -q "CPU 4 has no free interrupt vector" /tmp/said

again
refused "no vector free anywhere" 1 refuses "$first" ENOSPC 1+
cp /run/vm/output /tmp/said
check "each CPU of the section is tried once" equal "$(grep -c ENOSPC /tmp/trace)" 4
check "it is said" grep -q "no free interrupt vector.*ENOSPC" /tmp/said
check "the others are placed" equal "$(affinities ens1 'ens1-?x-*')" "4-7 5 6 7 4 5 6 7"
