#!/bin/sh
# Run optimizers of other projects: run.sh OUT.csv SEEDS METHOD..., on the problems in $PROBLEMS, with the seeds from $FIRST (1)
# to SEEDS. METHOD is a method of peers.py, or irace; peers.py and irace.R list further variables. $JOBS run at the same time.
# pip installs the Python packages into a folder next to the build, and Debian's packages provide irace and MiniSat. The
# Gaussian processes need PyTorch, which takes 5 GB from PyPI.
set -eu
cd "$(dirname "$0")/../.."
here=benches/peers
target=${CARGO_TARGET_DIR:-target}
out=$1 seeds=$2
shift 2
for method in "$@"; do
  if [ "$method" = irace ]; then
    Rscript -e 'for (name in c("irace", "jsonlite", "processx")) library(name, character.only = TRUE)' > /dev/null 2>&1 || {
      echo "irace needs R: apt-get install r-base-core r-cran-irace r-cran-jsonlite r-cran-processx" >&2
      exit 1
    }
  else
    [ -d "$target/peers" ] || python3 -m venv "$target/peers"
    pip="$target/peers/bin/pip"
    "$pip" install --quiet cma==4.5.0 optuna==5.0.0 smac==2.4.1 "numpy<2"
    case $method in
      optuna-gp | optuna-auto) "$pip" install --quiet torch cmaes==0.13.1 optunahub==0.5.0 ;;
      # With the bounds that HEBO declares, pip tries one old version of matplotlib after another.
      hebo)
        "$pip" install --quiet --no-deps HEBO==0.3.6 pymoo==0.6.0
        "$pip" install --quiet torch gpytorch pandas scikit-learn disjoint-set matplotlib autograd alive-progress dill Deprecated
        ;;
    esac
  fi
done
cargo build --quiet --release --locked -p evolve-peers
export PEERS="$target/release/evolve-peers"
for problem in ${PROBLEMS:-group-4-greedy group-5-greedy group-6-greedy}; do
  for method in "$@"; do
    case $method in
      irace) command="Rscript $here/irace.R $problem" ;;
      *) command="$target/peers/bin/python $here/peers.py $method $problem" ;;
    esac
    # shellcheck disable=SC2086
    seq "${FIRST:-1}" "$seeds" | xargs -P "${JOBS:-2}" -I SEED $command SEED "$out"
  done
done
"$PEERS" summary "$out"
