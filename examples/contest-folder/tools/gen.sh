#!/bin/sh
# The contest's generator: an input on standard output. The folder in/ has those of the seeds 0 to 29.
awk -v seed="$1" '
    function dice(below) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) % below }
    BEGIN {
        state = seed * 7919 + 1
        for (i = 0; i < 10; i++) dice(1)
        n = 20 + dice(41)
        print n, 4 + dice(6)
        for (i = 0; i < n; i++) print 10 + dice(30) * dice(30)
    }'
