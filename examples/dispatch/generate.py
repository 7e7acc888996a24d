"""Writes inputs in/0000.txt, in/0001.txt, ...: `python3 generate.py [FIRST] [COUNT]`, default 0 200.

Line 1: the number of jobs N, and the kind of the shop: whether due dates are loose or tight, and setups short or long. Then the
setup times between 6 families, a line for each family before, and N lines with the family, weight, time and due date of a job.
"""

import os
import random
import sys

first, count = (int(word) for word in (sys.argv[1:] + ["0", "200"][len(sys.argv) - 1 :])[:2])
os.makedirs("in", exist_ok=True)
for seed in range(first, first + count):
    dice = random.Random(seed)
    n, due, setup = dice.randrange(25, 60), dice.choice(["loose", "tight"]), dice.choice(["short", "long"])
    longest = 60 if setup == "long" else 4
    horizon = n * (10.5 + longest * (0.2 if setup == "long" else 0.5))
    first_due, spread = (0.2, 1.0) if due == "loose" else (0.0, 0.3)
    lines = [f"{n} {due}-{setup}"]
    lines += [" ".join(f"{longest * dice.random():.1f}" for _ in range(6)) for _ in range(6)]
    for _ in range(n):
        family, weight, time = dice.randrange(6), dice.randrange(1, 10), dice.randrange(1, 20)
        lines.append(f"{family} {weight} {time} {horizon * (first_due + spread * dice.random()):.1f}")
    with open(f"in/{seed:04}.txt", "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
