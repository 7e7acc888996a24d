#!/bin/sh
# Builds the solver of a folder (this one by default), unless there is one as new as its source: others may be using it.
set -eu
workers=$(cd "$(dirname "$0")/../../../evolve/program/workers" && pwd)
cd "${1:-$(dirname "$0")}"
[ solver -nt solver.cpp ] && exit
g++ -O2 -Wall -I "$workers" -o "solver.$$" solver.cpp
mv "solver.$$" solver
