"""A short tour through points, by simulated annealing.

Reads the number of points and their coordinates, prints the tour on standard output and `Score = LENGTH` on standard
error. The same input and parameters always give the same tour.
"""

import argparse
import math
import random
import sys

STEPS = 2000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--k", type=int, default=5, help="how far apart a move's two places are at most")
    parser.add_argument("--temp", type=float, default=10, help="the temperature at the start")
    parser.add_argument("--move", choices=["swap", "2opt", "insert"], default="2opt", help="what a move does")
    parser.add_argument("--greedy", action="store_true", help="start with the nearest points")
    options = parser.parse_args()

    n, *numbers = (float(word) for word in sys.stdin.read().split())
    points = list(zip(numbers[::2], numbers[1::2]))
    n = len(points)

    def length(tour):
        return sum(math.dist(points[tour[i - 1]], points[tour[i]]) for i in range(n))

    tour = list(range(n))
    if options.greedy:
        left = tour[1:]
        tour = tour[:1]
        while left:
            nearest = min(left, key=lambda point: math.dist(points[tour[-1]], points[point]))
            left.remove(nearest)
            tour.append(nearest)
    dice = random.Random(1)
    now = length(tour)
    for step in range(STEPS):
        heat = options.temp * 1e-3 ** (step / STEPS)
        i = dice.randrange(n)
        j = min(n - 1, i + 1 + dice.randrange(max(1, n * options.k // 20 - 1)))
        following = tour[:]
        if options.move == "swap":
            following[i], following[j] = tour[j], tour[i]
        elif options.move == "2opt":
            following[i : j + 1] = reversed(tour[i : j + 1])
        else:
            following[i : j + 1] = tour[i + 1 : j + 1] + [tour[i]]
        then = length(following)
        if then < now or math.exp((now - then) / heat) > dice.random():
            tour, now = following, then
    print(*tour, sep="\n")
    print(f"Score = {now:.0f}", file=sys.stderr)


main()
