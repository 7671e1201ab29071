# Turns the kernel's CPU masks, one a line, into one line of CPU lists: "00,0000000f" is 0-3, an empty mask is "-".

function list(mask,    digit, bit, bits, cpu, text, first, last) {
    gsub(",", "", mask)
    first = last = -2
    for (digit = length(mask); digit > 0; digit--) {
        bits = index("0123456789abcdef", substr(mask, digit, 1)) - 1
        for (bit = 0; bit < 4; bit++, bits = int(bits / 2)) {
            cpu = 4 * (length(mask) - digit) + bit
            if (bits % 2 == 0)
                continue
            if (cpu != last + 1) {
                text = text run(text, first, last)
                first = cpu
            }
            last = cpu
        }
    }
    text = text run(text, first, last)
    return text == "" ? "-" : text
}

function run(before, first, last) {
    if (last < 0)
        return ""
    return (before == "" ? "" : ",") (first == last ? first : first "-" last)
}

{
    printf "%s%s", (NR > 1 ? " " : ""), ($0 == "!" ? "!" : list($0))
}

END {
    print ""
}
