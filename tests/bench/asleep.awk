# Reads the kernel's trace of sys_enter_poll and sys_exit_poll and prints the microseconds between them, all together.
# "  steerd-812   [003] .....  17.123456: sys_poll(ufds: 7ffe, nfds: 1, timeout_msecs: 2710)"
{
    for (i = 1; i < NF && $i !~ /^[0-9]+\.[0-9]+:$/; i++)
        ;
    if ($(i + 1) ~ /^sys_poll\(/)
        entered[$1] = $i + 0
    else if ($(i + 1) == "sys_poll" && $1 in entered) {
        total += $i - entered[$1]
        delete entered[$1]
    }
}
END { printf "%d\n", total * 1000000 }
