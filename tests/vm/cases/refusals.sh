#!/bin/sh
# What a driver or the kernel refuses is said, and the rest goes on: the channels of vmxnet3, interrupts that are not ours to
# move, a CPU without a free vector, a device that goes between two writes.
#: cpus 4
#: nic vmxnet3
#: nic virtio queues=4
#: nic virtio queues=4
#: needs steerd
#: add tests/vm/guest/policy.sh
#: limit 300
. lib.sh
. policy.sh

# policy NAME DEVICES CHANNELS IRQ
policy() {
    cat >"/tmp/$1.ini" <<END
[nic $1]
match.name = $2
channels = $3
irq = $4
xps = follow-irq
pause = off
END
}
# No NIC here has such interrupts; and so many that a CPU runs out of vectors are no refusal on a machine without interrupt
# remapping, where a vector is taken with the next interrupt, not with the write (312 on one CPU were accepted). So strace
# answers in the kernel's place: to each write, or to the n-th alone.
answering() {
    taskset 1 strace --seccomp-bpf -f -qq -o /dev/null -P "/proc/irq/$1/smp_affinity_list" -e "inject=write:$2" steerd --once --policy "$3"
}

for nic in ens1 ens2; do ip link set $nic up; done
for nic in ens1 ens2; do wait_carrier $nic; done
third=$(irq_named virtio0-input.2)
snapshot /tmp/before

policy channels 'ens1 ens2' 2 spread
check "channels of vmxnet3 cannot be set, which is no error" says '^ *ens1 *channels.combined .* skipped .* no way to set' 0 \
    steerd --once --policy /tmp/channels.ini
check "they are as they were" equal "$(channels ens1)" 4
check "its interrupts are placed all the same" equal "$(placed ens1) / $(xps ens1)" "0 1 2 3 / 0 1 2 3"
check "and the other device has what it should" equal "$(channels ens2) $(placed ens2)" "2 0 1"
check "once is enough" writes_nothing steerd --once --policy /tmp/channels.ini
check "the way back" steerctl revert
snapshot /tmp/after
check "everything is what it was" same /tmp/before /tmp/after

policy managed ens2 4 3
for error in EIO EPERM; do
    check "$error: an interrupt that the kernel manages is no error" says 'skipped .*manages this interrupt' 0 \
        answering "$third" "error=$error" /tmp/managed.ini
    check "$error: the others are placed" equal "$(placed ens2)" "3 3 2/3 3"
    check "$error: XPS follows to where it is" equal "$(xps ens2)" "3 3 3 3"
    check "$error: the way back" steerctl revert
    snapshot /tmp/after
    check "$error: everything is what it was" same /tmp/before /tmp/after
done

check "a CPU without a free vector is an error where no other may be taken" says 'failed .*no free interrupt vector' 1 \
    answering "$third" error=ENOSPC /tmp/managed.ini
check "the others are placed all the same" equal "$(placed ens2)" "3 3 2/3 3"
check "the way back from the full CPU" steerctl revert
policy full ens2 4 spread
echo 0 >"/proc/irq/$third/smp_affinity_list"
check "where the policy allows others, the next CPU is taken" says 'done .*no free interrupt vector' 0 \
    answering "$third" error=ENOSPC:when=1 /tmp/full.ini
check "it has the cache of the one that was wanted" equal "$(placed ens2)" "0 1 3/2 3"
check "the way back from there" steerctl revert
echo 2 >"/proc/irq/$third/smp_affinity_list"
snapshot /tmp/after
check "everything is what it was again" same /tmp/before /tmp/after

# Stopped behind the third queue's write, steerd goes on when the device is gone.
policy gone 'ens2 ens3' 4 3
answering "$third" signal=SIGSTOP:when=1 /tmp/gone.ini >/tmp/said 2>&1 &
wait_for "[ \"\$(affinity $third)\" = 3 ]"
echo 1 >/sys/class/net/ens2/device/../remove
check "the device is gone" not test -e /sys/class/net/ens2
killall -CONT steerd
status=0
wait $! || status=$?
check "which is no error" equal "$status" 0
check "and is said" grep -q '^ *ens2 .* gone' /tmp/said
check "the next device has what it should" equal "$(placed ens3) / $(xps ens3)" "3 3 3 3 / 3 3 3 3"
check "nothing is left to do" writes_nothing steerd --once --policy /tmp/gone.ini
