#!/bin/sh
# One run on one thread, watched: `watch.sh EVOLVE OUTPUT.csv [KEY=VALUE]` in an empty folder.
# JOB and FOLDER name another job than the one beside this, and its results.
set -eu
here=$(dirname "$(realpath "$0")")
nice -n 19 "$1" run "${JOB:-$here/job.toml}" --jobs 1 --quiet --set "${3:-evolution.time="2h"}" &
run=$!
"$here/sample.py" --folder "${FOLDER:-results/endurance}" --process run=$run --output "$2"
wait $run
