# Reads `strace -f` and prints how many system calls there were, of how many processes and programs; with steerd=1 also
# where they went. steerd opens what is in /sys and /proc relative to its root's descriptor, hwloc by absolute path: so
# the two are told apart. A call on a descriptor belongs to the place of what was opened.

/ execve resumed>.* = 0$/ { programs++ }

/ resumed>/ || / [+-][+-][+-] / { next }

{
    calls++
    pids[$1] = 1
    call = $2
    sub(/\(.*/, "", call)
    programs += call == "execve" && / = 0$/
    if (steerd)
        at[place(call, $0)]++
}

function place(call, line,    found, fd) {
    if (!running && !(running = line ~ /"\/", [^"]*O_DIRECTORY/))
        return "program start"
    if (call ~ /^(openat|newfstatat|faccessat2?|readlinkat|open|mkdir|rename|unlink|socket)$/ && line !~ /, ""/) {
        found = opened(call, line)
        if (match(line, /= [0-9]+/))
            places[substr(line, RSTART + 2, RLENGTH - 2) + 0] = found
        return found
    }
    if (match(line, /\([0-9]+[<,)]/)) {
        fd = substr(line, RSTART + 1, RLENGTH - 2) + 0
        if (fd in places)
            return places[fd]
    }
    return call == "poll" ? "netlink" : "memory, output, end"
}

function opened(call, line,    path) {
    if (call == "socket")
        return "netlink"
    split(line, path, "\"")
    if (path[2] ~ /^\/run\//)
        return "originals, lock"
    if (path[2] ~ /^\/(sys|proc)\//)
        return "hwloc"
    if (path[2] ~ /^sys\/devices\/system\/|isolated|cgroup/)
        return "topology"
    if (path[2] ~ /\/queues/)
        return "queues"
    if (path[2] ~ /^sys\//)
        return "devices"
    if (path[2] ~ /^proc\/interrupts/)
        return "/proc/interrupts"
    if (path[2] ~ /^proc\/irq/)
        return "affinities"
    return path[2] ~ /^\// ? "policy" : "host facts"
}

END {
    for (pid in pids)
        processes++
    print "bench counted", way, calls, processes, programs - 1, at["hwloc"] + 0, at["program start"] + 0
    for (name in at)
        if (at[name])
            print "bench place", way, at[name], name
}
