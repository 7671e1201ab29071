# Words for cases that put a policy in force: adapt one, see what came of it, count what was written. Judges nothing.
# shellcheck shell=dash

# adapt POLICY LINE...     /tmp/POLICY.ini: the shipped policy, with these lines in place of those with the same key
adapt() {
    local name="$1" line
    shift
    cp "/etc/steerd/$name.ini" "/tmp/$name.ini"
    for line; do
        grep -q "^${line%% *} " "/tmp/$name.ini" || vm_fail "$name.ini has a line to adapt" "no such key" "$line"
        sed -i "s/^${line%% *} .*/$line/" "/tmp/$name.ini"
    done
}

# placed IF     where the interrupts of each queue may run: "0 1 2 3"; "0/1" when a queue's own do not agree, "?" when
#               it has none. In one program: a device may have 80 of them.
placed() {
    snap "$1" | awk '
        $2 ~ /^rx-/ { queues++ }
        $2 == "irq" && match($5, /(TxRx|rxtx|rx|tx|input|output)[-.][0-9]+$/) {
            queue = $5
            sub(/.*[-.]/, "", queue)
            if (!(queue in at))
                at[queue] = $7
            else if (at[queue] != $7)
                at[queue] = at[queue] "/" $7
        }
        END {
            for (queue = 0; queue < queues; queue++)
                printf "%s%s", queue ? " " : "", queue in at ? at[queue] : "?"
            print ""
        }'
}

# each N VALUE     the value N times: what rps or xps say when all queues are the same ("-": off)
each() { awk -v n="$1" -v value="$2" 'BEGIN { while (n-- > 0) printf "%s%s", value, n ? " " : "\n" }'; }

# writes_nothing COMMAND...     it succeeds without an attempt to write; prints the attempts, and what it said
writes_nothing() {
    local status=0 writes
    writes=$(writes_of "$@") || status=$?
    mv /run/vm/output /run/vm/said
    [ $status -ne 0 ] || [ -n "$writes" ] || return 0
    printf 'status %s, writes:\n%s\n' "$status" "$writes"
    cat /run/vm/said
    return 1
}

# says PATTERN STATUS COMMAND...     it ends with this status, and some line of what it prints has the pattern
says() {
    local pattern="$1" want="$2" status=0
    shift 2
    "$@" >/run/vm/said 2>&1 || status=$?
    cat /run/vm/said
    [ $status -eq "$want" ] && grep -q -- "$pattern" /run/vm/said && return
    printf 'status %s, wanted %s and a line with: %s\n' "$status" "$want" "$pattern"
    return 1
}

# calm IF SECONDS     flow control stays off for so long
calm() { holds "[ \"\$(pause $1)\" = 'autoneg off rx off tx off' ]" "$2"; }
