"""The program of these studies: a stand-in for a solver whose cost depends on three parameters and on the instance."""

import argparse
import math
import os

parser = argparse.ArgumentParser()
parser.add_argument("--k", type=int, default=int(os.environ.get("AHC_K", "15")))
parser.add_argument("--temp", type=float, default=float(os.environ.get("AHC_TEMP", "30.0")))
parser.add_argument("--move", default="swap")
given = parser.parse_args()

noise = int(input()) * 7919 % 101 / 101
far = 0.1 * (given.k - 4) ** 2 + math.log(given.temp / 3) ** 2 + (given.move == "swap")
print(f"Score = {100 + 20 * noise + far * (0.8 + 0.4 * noise):.4f}")
