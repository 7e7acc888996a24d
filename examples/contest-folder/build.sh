#!/bin/sh
set -eu
g++ -O2 -o main main.cpp
g++ -O2 -o vis tools/vis.cpp
