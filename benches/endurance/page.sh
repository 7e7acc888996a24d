#!/bin/sh
# A hundred runs, half of them of a program that is gone, whose live page is asked for every second during an hour:
# `page.sh EVOLVE OUTPUT.csv` in an empty folder. Linux only: it reads /proc.
set -eu
evolve=$1 output=$2 port=8931
printf 'name = "game"\n[game]\nname = "solitaire-chess"\ngroup = 3\n[player]\nname = "greedy"\n[evolution]\nbudget = 4000\n' >game.toml
printf 'name = "program"\n[program]\ncommand = "sh program.sh {x} {seed}"\nseeds = "0-99"\n[parameters]\nx = { int = [0, 20], start = 4 }\n[evolution]\nbudget = 60\n' >program.toml
echo 'echo Score = $((100 - ($1 - 13) * ($1 - 13) + $2 % 7))' >program.sh
for seed in $(seq 1 50); do
    for job in game program; do
        "$evolve" run $job.toml --seed "$seed" --name "$job/seed-$seed" --quiet
    done
done
rm program.sh

nice -n 19 "$evolve" watch results --port $port &
pid=$!
trap 'kill $pid' EXIT
sleep 2
runs=$(cd results && ls -d game/* program/*)
page=http://127.0.0.1:$port
row() {
    echo "$1,$asked,$answered,$(sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' /proc/$pid/status),$(ls /proc/$pid/fd | wc -l),$(sed -n 's/^Threads:[^0-9]*//p' /proc/$pid/status),$(cut -d ' ' -f 14,15 /proc/$pid/stat | awk '{ print ($1 + $2) / 100 }')"
}
asked=0 answered=0
{
    echo minute,rounds,answered,rss_kib,descriptors,threads,cpu_seconds
    row 0
    for minute in $(seq 1 60); do
        end=$(($(date +%s) + 60))
        while [ "$(date +%s)" -lt $end ]; do
            # The page, its list of all runs, and the data of one run after another.
            set -- $runs
            shift $((asked % $#))
            asked=$((asked + 1)) missing=0
            for path in / /state.json "/state.json?run=$1"; do
                curl -fsS -m 20 -o /dev/null "$page$path" || missing=1
            done
            answered=$((answered + 1 - missing))
            sleep 1
        done
        row "$minute"
    done
} >"$output"
