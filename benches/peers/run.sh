#!/bin/sh
# Runs optimizers of other projects: run.sh OUT.csv SEEDS METHOD... (see peers.py), on the problems in $PROBLEMS.
# They are installed by pip into a folder of their own beside the build.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}
out=$1 seeds=$2
shift 2
[ -d "$target/peers" ] || python3 -m venv "$target/peers"
"$target/peers/bin/pip" install --quiet cma==4.4.0 optuna==4.6.0 numpy
(cd "$here" && cargo build --quiet --release --locked -p evolve-peers)
export PEERS="$target/release/evolve-peers"
for problem in ${PROBLEMS:-group-4-greedy group-5-greedy group-6-greedy}; do
  for method in "$@"; do
    # Two at a time.
    seq "$seeds" | xargs -P 2 -I SEED "$target/peers/bin/python" "$here/peers.py" "$method" "$problem" SEED "$out"
  done
done
"$PEERS" summary "$out"
