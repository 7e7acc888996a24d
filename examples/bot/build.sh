#!/bin/sh
set -eu
g++ -O2 -o bot bot.cpp
g++ -O2 -o referee referee.cpp
