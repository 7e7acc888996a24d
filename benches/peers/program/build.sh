#!/bin/sh
# Builds the solver, unless there is one as new as its source: others may be using it.
set -eu
cd "$(dirname "$0")"
[ solver -nt solver.cpp ] && exit
g++ -O2 -Wall -I ../../../evolve/program/workers -o "solver.$$" solver.cpp
mv "solver.$$" solver
