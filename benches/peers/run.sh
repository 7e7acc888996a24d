#!/bin/sh
# Runs optimizers of other projects: run.sh OUT.csv SEEDS METHOD... (see peers.py), on the problems in $PROBLEMS.
# They are installed by pip into a folder of their own beside the build.
set -eu
cd "$(dirname "$0")/../.."
here=benches/peers
target=${CARGO_TARGET_DIR:-target}
out=$1 seeds=$2
shift 2
[ -d "$target/peers" ] || python3 -m venv "$target/peers"
"$target/peers/bin/pip" install --quiet cma==4.5.0 optuna==5.0.0 numpy
cargo build --quiet --release --locked -p evolve-peers
export PEERS="$target/release/evolve-peers"
for problem in ${PROBLEMS:-group-4-greedy group-5-greedy group-6-greedy}; do
  for method in "$@"; do
    # Two at a time.
    seq "$seeds" | xargs -P 2 -I SEED "$target/peers/bin/python" "$here/peers.py" "$method" "$problem" SEED "$out"
  done
done
"$PEERS" summary "$out"
