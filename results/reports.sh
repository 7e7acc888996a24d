#!/bin/sh
# Draws what is committed of the reference runs: the plots of all, a report of one run a game, and the pictures of the
# README. Run it after the reference runs were made anew.
#
#   EVOLVE    the command, target/release/evolve if it is not set
#   CHROMIUM  a browser for the picture of a replay, chromium if it is not set
set -eu
cd "$(dirname "$0")/.."
evolve=${EVOLVE:-target/release/evolve}
chromium=${CHROMIUM:-chromium}

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

"$chromium" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --window-size=1000,1180 --virtual-time-budget=4000 --screenshot=docs/replay.png \
    "file://$PWD/results/king-rook/report.html#deal=1&move=3" 2> /dev/null
