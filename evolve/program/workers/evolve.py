"""Parameters and worker mode for a solver in Python, to be copied beside it.

    import evolve

    def solve():                            # plays one trial and returns its score
        k = evolve.param("k", 5)            # the parameter, or 5 where nobody tunes
        dice = random.Random(evolve.random())
        text = evolve.input().read()        # the instance
        ...

    evolve.serve(solve)

With `worker = true` in the job the program stays alive and answers a line to each trial. Otherwise it plays one trial,
with parameters from the environment (`env = { EVOLVE_K = "{k}" }`) and the instance on standard input, and prints
`Score = 123`.
"""

import json
import os
import sys

_trial = {}
_metrics = {}
_worker = "EVOLVE_WORKER" in os.environ


def param(name, otherwise):
    """Returns a parameter, with the type of its default."""
    if name in _trial.get("params", {}):
        return _trial["params"][name]
    variable = "EVOLVE_" + "".join(c.upper() if c.isascii() and c.isalnum() else "_" for c in name)
    text = os.environ.get(variable)
    if text is None:
        return otherwise
    if isinstance(otherwise, bool):
        return {"true": True, "1": True, "false": False, "0": False}[text]
    if isinstance(otherwise, list):
        return [type(otherwise[0])(part) for part in text.split(",")]
    return type(otherwise)(text)


def scenario(name, otherwise=None):
    """Returns the value of a scenario variable, in worker mode."""
    return _trial.get("scenario", {}).get(name, otherwise)


def seed(otherwise=0):
    """Returns the seed of the instance, in worker mode."""
    return _trial.get("seed", otherwise)


def random(otherwise=0):
    """Returns the seed for the solver's random numbers, in worker mode."""
    return _trial.get("random", otherwise)


def limit_ms(otherwise):
    """Returns the time limit of the trial in milliseconds, in worker mode."""
    return _trial.get("limit_ms", otherwise)


def limit_s(otherwise):
    """Returns the time limit of the trial in seconds, in worker mode."""
    return _trial.get("limit_s", otherwise)


def input():
    """Returns the instance's input: its file in worker mode, otherwise standard input."""
    return open(_trial["input"]) if _worker else sys.stdin


def metric(name, value):
    """Records a further number for the tables, whose name must be in `metrics` of the job."""
    _metrics[name] = value


def serve(solve):
    """Plays trials with a function that returns a score: all trials in worker mode, otherwise one."""
    if not _worker:
        print("Score =", solve())
        return
    for line in sys.stdin:
        _trial.clear()
        _trial.update(json.loads(line))
        _metrics.clear()
        score = solve()
        print(json.dumps({"score": score, **_metrics}), flush=True)
