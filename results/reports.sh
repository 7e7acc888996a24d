#!/bin/sh
# Draws what is committed of the reference runs: the plots of all, a report of one run a game, and the pictures of the
# README. Run it after the reference runs were made anew.
#
# EVOLVE names the command, if it is not target/release/evolve. The picture of a replay takes chromium and chromedriver.
set -eu
cd "$(dirname "$0")/.."
evolve=${EVOLVE:-target/release/evolve}

find results -name generations.csv | sort | while read -r table; do
    run=$(dirname "$table")
    rm -rf "$run/plots"
    "$evolve" plot "$run"
done

for run in solitaire-chess/group-6 chess-puzzle/greedy gomoku king-rook black-out; do
    "$evolve" report "results/$run"
    size=$(wc -c < "results/$run/report.html")
    [ "$size" -lt 2000000 ] || { echo "results/$run/report.html: $size bytes are too many" >&2; exit 1; }
done

EVOLVE_PICTURE="$PWD/docs/replay.png" cargo test --package evolve-tuner --test browser picture -- --ignored
