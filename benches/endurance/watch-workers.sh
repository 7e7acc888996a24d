#!/bin/sh
# One run on three workers with a server, watched: `watch-workers.sh EVOLVE OUTPUT.csv [KEY=VALUE]` in an empty folder.
# EVOLVE is built with `--features nats`; nats-server is in PATH. JOB and FOLDER name another job than the one beside this, and
# its results.
set -eu
here=$(dirname "$(realpath "$0")")
port=${PORT:-4333}
nice -n 19 nats-server -js -sd server -a 127.0.0.1 -p "$port" >server.log 2>&1 &
server=$!
one='' two='' three=''
trap 'kill $server $one $two $three 2>/dev/null || true' EXIT
until grep -q "Server is ready" server.log; do sleep 0.1; done
url="nats://127.0.0.1:$port"
nice -n 19 "$1" worker --join "$url" --threads 1 --idle 10m >worker-1.log 2>&1 & one=$!
nice -n 19 "$1" worker --join "$url" --threads 1 --idle 10m >worker-2.log 2>&1 & two=$!
nice -n 19 "$1" worker --join "$url" --threads 1 --idle 10m >worker-3.log 2>&1 & three=$!
nice -n 19 "$1" run "${JOB:-$here/job.toml}" --quiet --workers "$url" --set "${3:-evolution.time="2h"}" &
run=$!
"$here/sample.py" --folder "${FOLDER:-results/endurance}" --output "$2" --process run=$run \
    --process worker-1=$one --process worker-2=$two --process worker-3=$three --process server=$server
wait $run
