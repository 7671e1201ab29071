# Reads `strace -f -yy` and prints a line for each attempt to change something: an open for writing or a write below
# /sys or /proc, and every netlink message that is not known to be a mere question.

BEGIN {
    # The questions of linux/ethtool_netlink.h and of Documentation/netlink/specs/netdev.yaml, by command number.
    questions("ethtool", "1 2 4 6 7 9 11 13 15 17 19 21 23 25 28 29 31 32 33 34 36 38 39 41 42 45 46")
    questions("netdev", "1 5 9 10 11 12")
    changes("3 LINKINFO 5 LINKMODES 8 DEBUG 12 FEATURES 16 RINGS 18 CHANNELS 20 COALESCE 22 PAUSE 24 EEE")
}

function questions(family, numbers,    list, n, i) {
    n = split(numbers, list, " ")
    for (i = 1; i <= n; i++)
        question[family, list[i]] = 1
}

function changes(pairs,    list, n, i) {
    n = split(pairs, list, " ")
    for (i = 1; i < n; i += 2)
        change["ethtool", list[i]] = list[i + 1] "_SET"
}

# The path of a write's descriptor: write(3</proc/irq/29/smp_affinity_list>, ...
function descriptor_path(line) {
    if (!match(line, /\([0-9]+<\/(sys|proc)\/[^>]*>/))
        return ""
    line = substr(line, RSTART, RLENGTH - 1)
    return substr(line, index(line, "<") + 1)
}

# The path of an open: the one that it got, or the one that it was refused, seen from its directory's descriptor.
function opened_path(line,    parts, path, directory) {
    if (match(line, /= [0-9]+<[^>]*>$/)) {
        path = substr(line, RSTART, RLENGTH - 1)
        path = substr(path, index(path, "<") + 1)
    } else if (split(line, parts, "\"") > 1) {
        path = parts[2]
        if (path !~ /^\// && match(line, /\([A-Z_0-9]+<[^>]*>/)) {
            directory = substr(line, RSTART, RLENGTH - 1)
            sub(/^[^<]*</, "", directory)
            path = directory (directory ~ /\/$/ ? "" : "/") path
        }
    }
    return path ~ /^\/(sys|proc)\// ? path : ""
}

# One netlink message: `at` begins behind "nlmsg_type=".
function message(at,    type, command) {
    match(at, /^[^,]*/)
    type = substr(at, 1, RLENGTH)
    sub(/^.*\|/, "", type)
    if (type ~ /nlctrl|RTM_GET|NFT_MSG_GET|BATCH_BEGIN|BATCH_END|DIAG|NLMSG_(DONE|NOOP)/)
        return
    if (type !~ /^[a-z]/) {
        print "netlink " type
        return
    }
    # Generic netlink: the payload's first byte is the command.
    command = match(at, /"\\x[0-9a-f][0-9a-f]/) ? number(substr(at, RSTART + 3, 2)) : "?"
    if (!((type, command) in question))
        print "netlink " type " " ((type, command) in change ? change[type, command] : command)
}

function number(hex,    digits) {
    digits = "0123456789abcdef"
    return 16 * (index(digits, substr(hex, 1, 1)) - 1) + index(digits, substr(hex, 2, 1)) - 1
}

/ (open|openat|openat2|creat)\(/ && (/O_WRONLY|O_RDWR|O_CREAT/ || / creat\(/) {
    if ((path = opened_path($0)) != "")
        print "open " path
}

/ (write|writev|pwrite64|pwritev|pwritev2|sendfile|splice)\(/ {
    if ((path = descriptor_path($0)) != "")
        print "write " path
}

/ (send|sendto|sendmsg|sendmmsg|write|writev)\([0-9]+<NETLINK/ {
    n = split($0, parts, "nlmsg_type=")
    for (i = 2; i <= n; i++)
        message(parts[i])
}

/ ioctl\(.*SIOCETHTOOL/ {
    print "ioctl SIOCETHTOOL"
}
