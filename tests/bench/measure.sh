# Measures one way to do a job, and prints what `run` reads; knows nothing of what the job is. Needs meter in PATH,
# and in BENCH where asleep.awk, calls.awk and writes.awk are.
# shellcheck shell=dash

bench_scratch=$(mktemp -d)
bench_tracing=/sys/kernel/debug/tracing

# timed WAY COMMAND...     bench timed WAY WALL CPU KIB STATUS ASLEEP
# Microseconds; peak memory; ASLEEP is how much of WALL it spent in poll(2), "-" where the kernel does not trace that.
timed() {
    local way="$1" asleep=-
    shift
    rm -f "$bench_scratch/cost"
    trace_poll 1 || :
    meter "$bench_scratch/cost" "$@" >"$bench_scratch/output" 2>&1
    if trace_poll 0; then
        asleep=$(awk -f "$BENCH/asleep.awk" "$bench_tracing/trace")
    fi
    echo "bench timed $way $(cat "$bench_scratch/cost") $asleep"
    explain "$(cut -d' ' -f4 "$bench_scratch/cost")"
}

# traced WAY COMMAND...    bench counted WAY CALLS PROCESSES PROGRAMS HWLOC START
#                          bench written WAY NUMBER        writes to /sys and /proc and netlink messages that set
#                          bench place WAY CALLS PLACE     for each place, of steerd alone
traced() {
    local way="$1" status=0 steerd=0
    shift
    case $way in steerd*) steerd=1 ;; esac
    strace -f -yy -qq -s 16 -e signal=none -o "$bench_scratch/trace" "$@" >"$bench_scratch/output" 2>&1 || status=$?
    awk -v way="$way" -v steerd=$steerd -f "$BENCH/calls.awk" "$bench_scratch/trace"
    # strace does not name the family that is asked for the numbers of the others (0x10, nlctrl).
    echo "bench written $way $(awk -f "$BENCH/writes.awk" "$bench_scratch/trace" | grep -vc -e '^open' -e '^netlink 0x10')"
    explain $status
}

# A way that fails is a result too.
explain() {
    [ "$1" -eq 0 ] || sed "s/^/status $1: /" "$bench_scratch/output"
}

# The kernel's own clock for poll(2): a tracer of the process would cost more than the process.
trace_poll() {
    local events="$bench_tracing/events/syscalls"
    [ -w "$events/sys_enter_poll/enable" ] || return 1
    [ "$1" = 0 ] || echo >"$bench_tracing/trace"
    echo "$1" >"$events/sys_enter_poll/enable"
    echo "$1" >"$events/sys_exit_poll/enable"
}
