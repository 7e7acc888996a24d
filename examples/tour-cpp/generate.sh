#!/bin/sh
# Writes the hundred inputs in/0000.txt to in/0099.txt: the number of points, then their coordinates, a line each.
set -eu
cd "$(dirname "$0")"
mkdir -p in
seed=0
while [ $seed -lt 100 ]; do
    awk -v seed=$seed '
        function dice(below) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) % below }
        BEGIN {
            state = seed * 7919 + 1
            for (i = 0; i < 10; i++) dice(1)
            n = 20 + dice(21)
            print n
            for (i = 0; i < n; i++) { x = dice(1000); y = dice(1000); print x, y }
        }' > "in/$(printf %04d $seed).txt"
    seed=$((seed + 1))
done
