"""Studies of small functions through the command that is installed beside this package."""

import json
import math
import os
import random
import subprocess
import sys
import time

import evolve_tuner as et
import pytest

PARAMETERS = {
    "k": et.Int(1, 20, start=15),
    "temp": et.Float(1e-2, 1e2, log=True, start=30),
    "move": et.Choice(["swap", "turn"]),
    "polish": et.Bool(),
}


def cost(k, temp, move, polish, instance):
    dice = random.Random(instance)
    far = 0.1 * (k - 4) ** 2 + math.log(temp / 3) ** 2 + (move == "swap") + (not polish)
    return 100 + 20 * dice.random() + far * (0.8 + 0.4 * dice.random())


def fragile(k, seed):
    if k > 12:
        raise ValueError("too many")
    return k + seed % 7


def tables(folder):
    names = ["config.toml", "generations.csv", "validation.csv", "weights.toml", "trials.csv"]
    return {name: (folder / name).read_bytes() for name in names}


def test_a_function_is_tuned_and_processes_do_not_matter():
    def tune(processes):
        return et.tune(
            cost, PARAMETERS, instances=range(100), budget=200, goal="minimize", processes=processes, progress=False
        )

    alone, eight = tune(1), tune(8)
    assert alone.improvement and alone.params["move"] == "turn" and alone.params["polish"] is True
    assert alone.difference[1] > 5 and "improvement found" in alone.text
    assert eight.params == alone.params and tables(eight.folder) == tables(alone.folder)
    trials = alone.trials()
    assert len(trials) <= 200
    assert alone.report().read_text().startswith("<!DOCTYPE html>")


def test_a_function_without_instances_is_called_once_for_each_candidate():
    calls = []

    def bowl(x, y):
        calls.append((x, y))
        return x * x + y * y

    parameters = {"x": et.Int(-10, 10, start=7), "y": et.Float(-10, 10, start=8)}
    result = et.tune(bowl, parameters, budget=60, goal="minimize")
    assert result.params["x"] == 0 and abs(result.params["y"]) < 0.05
    assert len(calls) <= 60 and "nothing was held out" in result.text
    # The test plays the start again, and the winner with its digits that count.
    assert len(set(calls)) >= len(calls) - 2


def test_ask_and_tell(tmp_path):
    options = {"instances": range(40), "budget": 100, "goal": "minimize", "name": "own/loop", "results": tmp_path}
    asked = 0
    with et.Study(PARAMETERS, parallel=4, **options) as study:
        for _ in range(10):
            for trial in study.ask(4):
                study.tell(trial, cost(**trial.params, instance=trial.instance))
                asked += 1
        at = study.recommend()
        assert set(at["params"]) == set(PARAMETERS) and 0 < at["trials"] <= asked
        left = study.ask(4)
        assert left and not study.done
    with pytest.raises(et.EvolveError, match="already holds a run"):
        et.Study(PARAMETERS, parallel=4, **options)
    with et.Study(PARAMETERS, parallel=4, resume=True, **options) as study:
        while not study.done:
            for trial in study.ask(2):
                study.tell(trial, cost(**trial.params, instance=trial.instance))
    with et.Study(PARAMETERS, **{**options, "results": tmp_path / "whole"}) as whole:
        while not whole.done:
            for trial in whole.ask():
                whole.tell(trial, cost(**trial.params, instance=trial.instance))
    assert tables(study.result.folder) == tables(whole.result.folder)


def test_failures_end_a_study_or_count(tmp_path):
    with pytest.raises(ValueError, match="too many"):
        et.tune(fragile, {"k": et.Int(1, 20)}, budget=40)
    for processes in (1, 2):
        result = et.tune(fragile, {"k": et.Int(1, 20)}, budget=60, on_failure=-100, processes=processes)
        assert 8 <= result.params["k"] <= 12
    with pytest.raises(ValueError, match="too many"):
        et.tune(fragile, {"k": et.Int(1, 20)}, budget=40, processes=2)


def test_forbidden_combinations_are_never_called():
    called = []

    def score(k, move):
        called.append((k, move))
        return float(k)

    parameters = {"k": et.Int(1, 20, start=5), "move": et.Choice(["swap", "2opt"])}
    result = et.tune(score, parameters, budget=60, forbid=["move == 'swap' && k > 10", "k > 17"])
    assert result.params == {"k": 17, "move": "2opt"}
    assert all(k <= 17 and (move == "2opt" or k <= 10) for k, move in called)
    with et.Study(parameters, budget=40, forbid=["k > 6"]) as study:
        for trial in study.ask(8):
            assert trial.params["k"] <= 6


def test_constraints_are_held():
    parameters = {"k": et.Int(1, 20, start=4)}
    with et.Study(parameters, instances=range(60), budget=120, hold={"memory": "<= 125"}) as study:
        while not study.done:
            for trial in study.ask():
                k = trial.params["k"]
                study.tell(trial, float(k), metrics={"memory": 10.0 * k + trial.instance % 3})
    assert 10 <= study.result.params["k"] <= 12
    assert "<= 125: held" in study.result.text
    with et.Study(parameters, budget=40, hold={"memory": "<= 125"}) as study:
        with pytest.raises(et.EvolveError, match="no number `memory`"):
            while True:
                for trial in study.ask():
                    study.tell(trial, 1.0)


def test_a_prior_says_where_to_look():
    played = []

    def score(x):
        played.append(x)
        return -abs(x - 700.0)

    et.tune(score, {"x": et.Float(0.0, 1000.0, start=10.0, prior=(690.0, 20.0))}, budget=20)
    assert 690.0 in played[:3] and sum(600 < x < 800 for x in played) > len(played) / 2


def test_wrong_arguments_are_answered():
    for parameters, options, message in [
        ({"k": et.Int(20, 1)}, {"budget": 40}, "k"),
        ({"k": et.Int(1, 20)}, {}, "needs a limit"),
        ({"k": et.Int(1, 20)}, {"budget": 40, "goal": "least"}, "goal"),
        ({"k": et.Int(1, 20)}, {"budget": 40, "instances": []}, "seeds"),
        ({}, {"budget": 40}, "parameter"),
        ({"k": et.Int(1, 20)}, {"budget": 40, "forbid": ["q > 3"]}, "no parameter `q`"),
        ({"k": et.Int(1, 20, prior=(30, 2))}, {"budget": 40}, "its mean is a number from 1 to 20, not 30"),
        ({"k": et.Int(1, 20, start=5)}, {"budget": 40, "forbid": ["k > 3"]}, "the baseline is forbidden"),
    ]:
        with pytest.raises(et.EvolveError, match=message):
            et.Study(parameters, **options)
    with pytest.raises(TypeError, match="no argument `instance`"):
        et.tune(fragile, {"k": et.Int(1, 20)}, instances=range(5), budget=40)
    with et.Study({"k": et.Int(1, 20)}, budget=40) as study:
        (trial,) = study.ask()
        with pytest.raises(et.EvolveError, match="needs either"):
            study.tell(trial)
        with pytest.raises(et.EvolveError, match="no trial 99"):
            study.tell(et.Trial(99, {}, None, None, 0), 1.0)


def test_a_decorated_function():
    @et.tunable(k=et.Int(1, 20, start=15))
    def near(k, seed):
        return -((k - 4) ** 2) + seed % 3

    assert near(4, 0) == 0
    assert near.tune(budget=60).params["k"] in (3, 4, 5)


SLOW = """
import signal, sys, time
import evolve_tuner as et
# A background job of a shell ignores the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
def slow(k, seed):
    time.sleep(0.02)
    return -(k - 4) ** 2 + seed % 5
print(et.tune(slow, {"k": et.Int(1, 20, start=15)}, budget=100, name="slow", resume=True).params)
"""


def test_an_interrupted_study_is_saved(tmp_path):
    def begin():
        return subprocess.Popen([sys.executable, "-c", SLOW], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    child = begin()
    deadline = time.monotonic() + 60
    log = tmp_path / "results/slow/log.jsonl"
    while time.monotonic() < deadline and not (log.exists() and log.stat().st_size > 0):
        time.sleep(0.05)
    child.send_signal(2)
    _, errors = child.communicate(timeout=60)
    assert child.returncode != 0 and b"KeyboardInterrupt" in errors
    again = begin()
    output, errors = again.communicate(timeout=60)
    assert again.returncode == 0, errors
    assert eval(output)["k"] in (3, 4, 5)
    assert (tmp_path / "results/slow/weights.toml").exists()


def test_the_protocol_answers_what_it_does_not_understand(tmp_path):
    from evolve_tuner import _serve

    parameters = {"k": {"int": [1, 9]}}

    def opens(**program):
        job = {"name": "odd", "program": {"command": "f", **program}, "parameters": parameters}
        return json.dumps({"open": {"job": job}})

    odd = [opens(files="nowhere/*"), opens(seeds=[1, None]), opens(seeds=["a", "b"], scale={"best": "nowhere.csv"})]
    lines = [*odd, "{", '"ask"', '{"ask": 1}', '{"open": {"jb": {}}}', '{"open": {"job": {"game": {"name": "gomoku"}}}}', '"close"']
    process = subprocess.run(
        [_serve.command(), "serve"], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=60,
        cwd=tmp_path,
    )
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    assert process.returncode == 0 and len(answers) == len(lines) and all("error" in answer for answer in answers)


@pytest.mark.skipif("EVOLVE_SPEED" not in os.environ, reason="a measurement: EVOLVE_SPEED=1")
def test_speed():
    def millisecond(k, seed):
        end = time.perf_counter() + 1e-3
        while time.perf_counter() < end:
            pass
        return -((k - 4) ** 2) + seed % 5

    begin = time.monotonic()
    result = et.tune(millisecond, {"k": et.Int(1, 20)}, budget=20_000)
    calls = len(result.trials())
    print(f"{calls / (time.monotonic() - begin):.0f} calls a second")
