"""Runs an optimizer of another project against the bench's evaluator: `python peers.py METHOD PROBLEM SEED OUT`.

Each optimizer gets the same start, ranges and step sizes as the methods of `evolve`, and recommends the mean of its
distribution, if it has one. Budgets count games. Optimizers that know kinds of parameters get the declared parameters, the
others the same coordinates as `evolve`. $HELD_OUT is the number of held-out cases that measure a recommendation, and $STOPS
the numbers of games after which it is measured, with commas (default: the problem's).
"""

import json
import os
import re
import subprocess
import sys

import numpy as np

EVALUATOR = os.environ["PEERS"]
HELD_OUT = os.environ.get("HELD_OUT", "4000")


class Problem:
    def __init__(self, problem, label, seed, out):
        command = [EVALUATOR, "serve", "--problem", problem, "--label", label, "--seed", str(seed), "--out", out,
                   "--held-out", HELD_OUT]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        first = json.loads(self.process.stdout.readline())
        self.start, self.min, self.max = (np.array(first[key]) for key in ("start", "min", "max"))
        self.parameters, self.features, self.games = first["parameters"], first["features"], 0
        self.stops = [int(stop) for stop in os.environ.get("STOPS", "").split(",") if stop] or first["stops"]
        self.budget = self.stops[-1]

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def play(self, points, games, recommended, cases=None):
        """Mean scores of the points on `games` new cases, or on the same ones for every call with this number in
        `cases`; None when the budget is spent. Measures the current recommendation at each stop on the way."""
        cost = len(points) * games
        while self.stops and self.games + cost > self.stops[0]:
            self.ask(recommend=plain(recommended), after=self.stops.pop(0))
        if not self.stops:
            return None
        self.games += cost
        same = {} if cases is None else {"cases": cases}
        return self.ask(points=list(map(plain, points)), games=games, **same)


def plain(point):
    """A point for JSON: coordinates, or values by name."""
    return point if isinstance(point, dict) else list(map(float, point))


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
    """Spall's gains: a / (k + 1 + A)^0.602, c / (k + 1)^0.101; pairs on a case of their own. A gain is in units of the
    score, so that each problem has its best: of 0.03, 0.003, 0.0006, 0.0003 and 0.0001, groups 5 and 6 the last but one
    and group 4 0.0006. README.md says what the others took."""
    random = np.random.default_rng(seed)
    x = problem.start.copy()
    stability = 0.1 * problem.budget / 2
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


def random(problem, seed):
    """Normal draws around the start, 500 of them; the best mean is recommended."""
    random = np.random.default_rng(seed)
    games = problem.budget // 500
    best, best_score = problem.start, -np.inf
    while True:
        point = np.clip(problem.start + random.standard_normal(len(problem.start)), problem.min, problem.max)
        scores = problem.play([point], games, best)
        if scores is None:
            return
        if scores[0] > best_score:
            best, best_score = point, scores[0]


def optuna(problem, seed, sampler="tpe"):
    """A sampler of Optuna; its best trial is recommended. A trial is the mean of $TRIAL games, the same ones for all
    trials if $FIXED is set. The automatic choice of samplers is OptunaHub's; $HUB is a copy of its `package`."""
    import optuna as library

    games = int(os.environ.get("TRIAL", "32"))
    cases = 0 if os.environ.get("FIXED") else None
    library.logging.set_verbosity(library.logging.ERROR)
    if sampler == "auto":
        import optunahub

        local = {"registry_root": os.environ["HUB"]} if "HUB" in os.environ else {}
        load = optunahub.load_local_module if local else optunahub.load_module
        chosen = load("samplers/auto_sampler", **local).AutoSampler
    else:
        samplers = library.samplers
        chosen = {"tpe": samplers.TPESampler, "gp": samplers.GPSampler, "random": samplers.RandomSampler}[sampler]
    study = library.create_study(direction="maximize", sampler=chosen(seed=seed))
    best, best_score = {}, -np.inf
    study.enqueue_trial({parameter["name"]: parameter["start"] for parameter in problem.parameters})
    while True:
        trial, point = study.ask(), {}
        for parameter in problem.parameters:
            # A condition of a job reads as one in Python.
            if parameter["when"] is None or eval(parameter["when"], {}, point):
                point[parameter["name"]] = suggest(trial, parameter)
        scores = problem.play([point], games, best, cases)
        if scores is None:
            return
        study.tell(trial, scores[0])
        if scores[0] > best_score:
            best, best_score = point, scores[0]


def suggest(trial, parameter):
    """A value of a parameter from Optuna, by its kind."""
    name = parameter["name"]
    if "choices" in parameter:
        return trial.suggest_categorical(name, parameter["choices"])
    suggest = trial.suggest_int if parameter["kind"] == "int" else trial.suggest_float
    return suggest(name, parameter["min"], parameter["max"], log=parameter["log"])


def hebo(problem, seed):
    """HEBO, whose first trial is the start; its best trial is recommended. It knows no conditions. Trials are as Optuna's."""
    import pandas
    import torch
    from hebo.design_space.design_space import DesignSpace
    from hebo.optimizers.hebo import HEBO

    def declared(parameter):
        if "choices" in parameter:
            return {"name": parameter["name"], "type": "cat", "categories": [str(choice) for choice in parameter["choices"]]}
        whole = parameter["kind"] == "int"
        kind = ("pow_int" if whole else "pow") if parameter["log"] else ("int" if whole else "num")
        return {"name": parameter["name"], "type": kind, "lb": parameter["min"], "ub": parameter["max"]}

    def point(row):
        # JSON cannot write numbers of numpy.
        values = {name: getattr(value, "item", lambda: value)() for name, value in row.items()}
        return {name: value == "True" if value in ("True", "False") else value for name, value in values.items()}

    games = int(os.environ.get("TRIAL", "32"))
    cases = 0 if os.environ.get("FIXED") else None
    np.random.seed(seed)
    torch.manual_seed(seed)
    space = DesignSpace().parse([declared(parameter) for parameter in problem.parameters])
    optimizer = HEBO(space, scramble_seed=seed)
    start = {p["name"]: str(p["start"]) if "choices" in p else p["start"] for p in problem.parameters}
    best, best_score = {}, -np.inf
    trial = pandas.DataFrame([start])
    while True:
        candidate = point(trial.iloc[0])
        scores = problem.play([candidate], games, best, cases)
        if scores is None:
            return
        optimizer.observe(trial, -np.array([scores]))
        if scores[0] > best_score:
            best, best_score = candidate, scores[0]
        trial = optimizer.suggest()


def smac(problem, seed):
    """SMAC3 for algorithm configuration, with $INSTANCES instances (100) and their features, if they have any; a trial is one
    game. It plans its first design by its budget, so that each stop is a run of its own. It chooses each candidate among
    $CHALLENGERS draws (5000) and the ends of ten local searches."""
    import tempfile

    import ConfigSpace as cs
    from smac import AlgorithmConfigurationFacade as Facade
    from smac import Scenario
    from smac.acquisition.maximizer import LocalAndSortedRandomSearch
    from smac.runhistory.dataclasses import TrialValue

    space = cs.ConfigurationSpace(seed=seed)
    for parameter in problem.parameters:
        name, start = parameter["name"], parameter["start"]
        if "choices" in parameter:
            space.add(cs.CategoricalHyperparameter(name, [str(choice) for choice in parameter["choices"]], default_value=str(start)))
        else:
            kind = cs.UniformIntegerHyperparameter if parameter["kind"] == "int" else cs.UniformFloatHyperparameter
            space.add(kind(name, parameter["min"], parameter["max"], log=parameter["log"], default_value=start))
    for parameter in problem.parameters:
        # The conditions of these problems are of the form `move != 'swap'`.
        if parameter["when"] is not None:
            parent, value = parameter["when"].split(" != ")
            space.add(cs.NotEqualsCondition(space[parameter["name"]], space[parent], value.strip("'")))
    kinds = {parameter["name"]: parameter for parameter in problem.parameters}

    def point(configuration):
        switch = lambda name, value: value == "True" if kinds[name]["kind"] == "switch" else value
        return {name: switch(name, value) for name, value in dict(configuration).items()}

    instances = [str(i) for i in range(int(os.environ.get("INSTANCES", "100")))]
    with tempfile.TemporaryDirectory() as folder:
        features = {i: problem.features[int(i)] if problem.features else [float(i)] for i in instances}
        scenario = Scenario(space, deterministic=True, n_trials=problem.budget, seed=seed, output_directory=folder,
                            instances=instances, instance_features=features)
        # The default is the first configuration.
        design = Facade.get_initial_design(scenario, additional_configs=[space.get_default_configuration()])
        challengers = int(os.environ.get("CHALLENGERS", "5000"))
        maximizer = LocalAndSortedRandomSearch(space, challengers=challengers, seed=seed)
        # If it reduces features to fewer components, SMAC3 2.4.1 ends in an assertion.
        model = Facade.get_model(scenario, pca_components=1 + len(features["0"]))
        facade = Facade(scenario, lambda configuration, instance, seed=0: 0.0, initial_design=design, overwrite=True,
                        model=model, acquisition_maximizer=maximizer, logging_level=False)
        while True:
            trial = facade.ask()
            incumbents = facade.intensifier.get_incumbents(sort_by="num_trials")
            best = point(incumbents[-1]) if incumbents else {}
            scores = problem.play([point(trial.config)], 1, best, int(trial.instance))
            if scores is None:
                return
            facade.tell(trial, TrialValue(cost=-float(scores[0])))


def method(name):
    """The function of a method. A population and its games are part of pycma's name: `pycma-36x16`, `pycma-diagonal-36x16`."""
    if sizes := re.fullmatch(r"pycma(-diagonal)?-(\d+)x(\d+)", name):
        diagonal, population, games = sizes.groups()
        return lambda problem, seed: pycma(problem, seed, int(population), int(games), diagonal is not None)
    return METHODS[name]


METHODS = {
    "spsa": spsa,
    "random": random,
    "optuna": optuna,
    "optuna-gp": lambda problem, seed: optuna(problem, seed, "gp"),
    "optuna-auto": lambda problem, seed: optuna(problem, seed, "auto"),
    "optuna-random": lambda problem, seed: optuna(problem, seed, "random"),
    "hebo": hebo,
    "smac": smac,
}

if __name__ == "__main__":
    chosen, name, seed, out = sys.argv[1:]
    method(chosen)(Problem(name, os.environ.get("LABEL", chosen), int(seed), out), int(seed))
