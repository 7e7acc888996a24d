"""Runs an optimizer of another project against the bench's evaluator: `python peers.py METHOD PROBLEM SEED OUT`.

Each gets the start, the ranges and the unit of variation that ours get, and recommends by itself: the mean of its
distribution where it has one. Budgets count games.
"""

import json
import os
import subprocess
import sys

import numpy as np

STOPS = [12_500, 25_000, 50_000, 100_000]
EVALUATOR = os.environ["PEERS"]


class Problem:
    def __init__(self, problem, label, seed, out):
        command = [EVALUATOR, "serve", "--problem", problem, "--label", label, "--seed", str(seed), "--out", out]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        first = json.loads(self.process.stdout.readline())
        self.start, self.min, self.max = (np.array(first[key]) for key in ("start", "min", "max"))
        self.games, self.stops = 0, list(STOPS)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def play(self, points, games, recommended):
        """Mean scores of the points on `games` new deals; None when the budget is spent. What is recommended at that
        time is measured at each stop on the way."""
        cost = len(points) * games
        while self.stops and self.games + cost > self.stops[0]:
            self.ask(recommend=list(map(float, recommended)), after=self.stops.pop(0))
        if not self.stops:
            return None
        self.games += cost
        return self.ask(points=[list(map(float, point)) for point in points], games=games)


def pycma(problem, seed, population, games, diagonal=False):
    import cma

    options = {"popsize": population, "bounds": [problem.min, problem.max], "seed": seed, "verbose": -9,
               "CMA_diagonal": diagonal, "tolfun": 0, "tolfunhist": 0, "tolx": 0, "tolstagnation": 10**9}
    es = cma.CMAEvolutionStrategy(problem.start, 1.0, options)
    mean = problem.start
    while True:
        points = es.ask()
        scores = problem.play(points, games, mean)
        if scores is None:
            return
        es.tell(points, [-score for score in scores])
        mean = np.clip(es.result.xfavorite, problem.min, problem.max)


def spsa(problem, seed, gain=float(os.environ.get("GAIN", "0.0003"))):
    """Spall's gains: a / (k + 1 + A)^0.602, c / (k + 1)^0.101; pairs on a deal of their own. The gain suits groups
    5 and 6 best of 0.03, 0.003, 0.0006, 0.0003 and 0.0001; group 4 took 0.0006."""
    random = np.random.default_rng(seed)
    x = problem.start.copy()
    stability = 0.1 * STOPS[-1] / 2
    k = 0
    while True:
        direction = random.choice([-1.0, 1.0], size=len(x))
        width = 1.0 / (k + 1) ** 0.101
        points = [np.clip(x + sign * width * direction, problem.min, problem.max) for sign in (1, -1)]
        scores = problem.play(points, 1, x)
        if scores is None:
            return
        step = gain * ((1 + stability) / (k + 1 + stability)) ** 0.602
        x = np.clip(x + step * (scores[0] - scores[1]) / (2 * width) * direction, problem.min, problem.max)
        k += 1


def random(problem, seed, games=200):
    """Normal draws around the start; the best mean is recommended."""
    random = np.random.default_rng(seed)
    best, best_score = problem.start, -np.inf
    while True:
        point = np.clip(problem.start + random.standard_normal(len(problem.start)), problem.min, problem.max)
        scores = problem.play([point], games, best)
        if scores is None:
            return
        if scores[0] > best_score:
            best, best_score = point, scores[0]


def optuna(problem, seed, games=32):
    """Optuna's default sampler; its best trial is recommended."""
    import optuna as library

    library.logging.set_verbosity(library.logging.ERROR)
    study = library.create_study(direction="maximize", sampler=library.samplers.TPESampler(seed=seed))
    n, best, best_score = len(problem.start), problem.start, -np.inf
    low, high = np.maximum(problem.min, problem.start - 10), np.minimum(problem.max, problem.start + 10)
    study.enqueue_trial({f"x{i}": float(problem.start[i]) for i in range(n)})
    while True:
        trial = study.ask()
        point = np.array([trial.suggest_float(f"x{i}", low[i], high[i]) for i in range(n)])
        scores = problem.play([point], games, best)
        if scores is None:
            return
        study.tell(trial, scores[0])
        if scores[0] > best_score:
            best, best_score = point, scores[0]


METHODS = {
    "pycma-100x8": lambda problem, seed: pycma(problem, seed, 100, 8),
    "pycma-36x16": lambda problem, seed: pycma(problem, seed, 36, 16),
    "pycma-diagonal-36x16": lambda problem, seed: pycma(problem, seed, 36, 16, True),
    "spsa": spsa,
    "random": random,
    "optuna": optuna,
}

if __name__ == "__main__":
    method, name, seed, out = sys.argv[1:]
    METHODS[method](Problem(name, method, int(seed), out), int(seed))
