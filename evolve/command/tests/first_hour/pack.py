"""Packs things into a sack: the best by value and weight first. Reads the room, and value and weight of each thing."""

import os
import sys

POWER = 3.0
room, *numbers = map(int, sys.stdin.read().split())
things = list(zip(numbers[::2], numbers[1::2]))
floor = int(os.environ.get("PACK_FLOOR", "40"))

total = 0
for value, weight in sorted(things, key=lambda thing: -thing[0] / thing[1] ** POWER):
    if value >= floor and weight <= room:
        room -= weight
        total += value
print("Score =", total)
