"""Studies of small functions through the command that is installed with this package."""

import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import threading
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
    names = ["config.toml", "generations.csv", "validation.csv", "recommendation.toml", "trials.csv"]
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
    # The study has written its page, and a notebook names it.
    page = alone.folder / "report.html"
    assert page.is_file() and str(page) in alone._repr_html_()
    assert alone.report().read_text().startswith("<!DOCTYPE html>")


def test_values_on_a_grid_are_exact():
    seen = {"x": set(), "k": set()}

    def score(x, k, seed):
        seen["x"].add(x)
        seen["k"].add(k)
        return seed % 7 - 40 * abs(x - 0.68) - abs(k - 40) / 10

    parameters = {"x": et.Float(0.1, 0.95, step=0.1, unit=0.2), "k": et.Int(1, 100, step=25, start=1)}
    result = et.tune(score, parameters, budget=200, progress=False)
    assert seen["x"] <= {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9} and {0.7} < seen["x"]
    assert seen["k"] == {1, 26, 51, 76}
    assert result.improvement and result.params["x"] == 0.7


def test_a_function_without_instances_is_called_once_for_each_candidate():
    calls = []

    def bowl(x, y):
        calls.append((x, y))
        return x * x + y * y

    parameters = {"x": et.Int(-10, 10, start=7), "y": et.Float(-10, 10, start=8)}
    result = et.tune(bowl, parameters, budget=60, goal="minimize")
    assert result.params["x"] == 0 and abs(result.params["y"]) < 0.05
    assert len(calls) <= 62 and "nothing was held out" in result.text
    # The start is called twice before the search, once in it, and twice in the test, as is the winner with its digits that count.
    assert len(set(calls)) >= len(calls) - 6 and result.notes == ()


def test_ask_and_tell(tmp_path):
    options = {"instances": range(40), "budget": 100, "goal": "minimize", "name": "own/loop", "results": tmp_path}
    asked = 0
    with et.Study(PARAMETERS, parallel=4, **options) as study:
        for _ in range(10):
            for trial in study.ask(4):
                study.tell(trial, cost(**trial.params, instance=trial.instance))
                asked += 1
        best = study.best
        assert set(best.params) == set(PARAMETERS) and 0 < best.trials <= asked and best.phase == "search"
        left = study.ask(4)
        assert left and not study.done
    with pytest.raises(et.EvolveError, match="already holds a study"):
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
    with et.Study(parameters, instances=range(60), budget=120, constraints={"memory": "<= 125"}) as study:
        while not study.done:
            for trial in study.ask():
                k = trial.params["k"]
                study.tell(trial, float(k), metrics={"memory": 10.0 * k + trial.instance % 3})
    assert 10 <= study.result.params["k"] <= 12
    assert "<= 125: held" in study.result.text
    with et.Study(parameters, budget=40, constraints={"memory": "<= 125"}) as study:
        with pytest.raises(et.EvolveError, match="no number `memory`"):
            while True:
                for trial in study.ask():
                    study.tell(trial, 1.0)


def test_metrics_that_are_missing_or_no_numbers_are_named():
    options = {"budget": 40, "constraints": {"memory": "<= 125"}}
    returns = r"with `constraints`, `lambda` returns .*, as in `return 12.5, {\"memory\": 181}`, not "
    for returned, message in [
        (1.0, returns + "1.0$"),
        ((1.0, {"time": 3}), returns),
        ((1.0, {"memory": None}), "the metric `memory` of k=10, seed=[0-9]+ is None, not a finite number"),
        ((math.nan, {"memory": 3}), "the score of k=10, seed=[0-9]+ is nan, not a finite number"),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            et.tune(lambda k, seed: returned, {"k": et.Int(1, 20)}, **options)
    with et.Study({"k": et.Int(1, 20)}, **options) as study:
        (trial,) = study.ask()
        with pytest.raises(ValueError, match="the metric `memory` of k=10 is nan"):
            study.tell(trial, 1.0, metrics={"memory": math.nan})


def quick(k, seed):
    return -((k - 4) ** 2) + seed % 5


def test_quick_calls_of_several_processes_are_requested_in_groups(monkeypatch):
    from evolve_tuner import _serve

    sent = []
    request = _serve.Serve.request
    monkeypatch.setattr(_serve.Serve, "request", lambda self, *requests: (sent.append(1), request(self, *requests))[1])
    calls = {}
    for processes in (1, 2):
        sent.clear()
        result = et.tune(quick, {"k": et.Int(1, 20)}, budget=200, processes=processes, progress=False)
        calls[processes] = len(result.trials("list")) / len(sent)
    # Calls in a request: without groups, less than 1.
    assert calls[2] > 2 and calls[1] > 2, calls


def test_a_slow_call_does_not_hold_up_quick_ones(tmp_path):
    result = et.tune(rarely_slow, {"k": et.Int(1, 20)}, budget=60, processes=2, progress=False)
    alone = et.tune(rarely_slow, {"k": et.Int(1, 20)}, budget=60, progress=False)
    assert tables(result.folder) == tables(alone.folder)


def rarely_slow(k, seed):
    time.sleep(0.2 if seed % 11 == 0 else 0)
    return -((k - 4) ** 2) + seed % 5


def test_a_prior_says_where_to_look():
    def score(x):
        return -abs(x - 700.0)

    result = et.tune(score, {"x": et.Float(0.0, 1000.0, start=10.0, prior=(690.0, 20.0))}, budget=20)
    # In the order of the search; calls may come in another order.
    tried = [row["value.x"] for row in result.trials("list")]
    assert 690.0 in tried[:3] and sum(600 < x < 800 for x in tried) > len(tried) / 2


def test_scores_that_are_no_numbers_end_a_study_or_count():
    def cost(k, seed):
        return None if k < 12 else math.nan if k < 14 else k

    for processes, function in ((1, cost), (2, missing)):
        with pytest.raises(ValueError, match="the score of k=[0-9]+, seed=[0-9]+ is None, not a finite number"):
            et.tune(function, {"k": et.Int(1, 20)}, budget=40, processes=processes)
    assert et.tune(cost, {"k": et.Int(1, 20)}, budget=60, on_failure=-100).params["k"] >= 14


def missing(k, seed):
    pass


def test_what_other_processes_cannot_get_is_explained():
    with pytest.raises(TypeError, match="`lambda` cannot be sent .* top level .* processes=1"):
        et.tune(lambda k: k, {"k": et.Int(1, 20)}, budget=40, processes=2)
    with pytest.raises(TypeError, match="the first instance cannot be sent"):
        et.tune(cost, PARAMETERS, instances=[lambda: 1] * 20, budget=40, processes=2)
    with pytest.raises(et.EvolveError, match="a process that calls `ends` has ended"):
        et.tune(ends, {"k": et.Int(1, 20)}, budget=40, processes=2)


def ends(k, seed):
    os._exit(1)


def test_choices_arrive_as_given():
    names = ["swap", 3, 0.00001, 2.0, 10**15 * 1.5, True]
    played = []

    def score(name):
        played.append(name)
        return names.index(name)

    result = et.tune(score, {"name": et.Choice(names, start=3)}, budget=30)
    kinds = {(type(name), name) for name in played}
    assert kinds == {(type(name), name) for name in names}
    assert result.params == {"name": True} and result.params["name"] is True
    with et.Study({"name": et.Choice([1, 2])}, budget=20) as study:
        assert study.best.params == {"name": 1}


def test_a_decorated_function():
    @et.tunable(k=et.Int(1, 20, start=15))
    def near(k, seed):
        return -((k - 4) ** 2) + seed % 3

    assert near(4, 0) == 0
    assert near.tune(budget=60).params["k"] in (3, 4, 5)


HELD = """
import os, signal, sys, time
import evolve_tuner as et
# A background job of a shell ignores the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
def held(k, seed):
    with open("calls", "a") as calls:
        calls.write(f"{os.getpid()}\\n")
    # Sooner or later, a call lasts until the study ends.
    while os.path.exists("hold") and os.stat("calls").st_size > 150:
        time.sleep(0.01)
    return -(k - 4) ** 2 + seed % 5
if __name__ == "__main__":
    result = et.tune(held, {"k": et.Int(1, 20, start=15)}, budget=100, OPTIONS)
    print(repr((result.params, result.improvement, result.difference[1:], result.text)))
"""
#: Longer than any wait, however busy the machine.
LONG = 600


def begin(folder, **options):
    """Starts a study, and waits for a call that lasts."""
    options = ", ".join(f"{name}={value!r}" for name, value in options.items())
    (folder / "study.py").write_text(HELD.replace("OPTIONS", options))
    command, pipe = [sys.executable, "study.py"], subprocess.PIPE
    child = subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, start_new_session=True)
    if (folder / "hold").exists():
        calls = folder / "calls"
        wait_until(lambda: child.poll() is not None or calls.exists() and calls.stat().st_size > 150)
        assert child.poll() is None, child.communicate()
    return child


def wait_until(condition):
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.01)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_interrupted_study_is_saved(tmp_path, processes):
    (tmp_path / "hold").touch()
    child = begin(tmp_path, name="slow", resume=True, processes=processes)
    # To all processes, as Ctrl-C in a terminal.
    os.killpg(child.pid, signal.SIGINT)
    _, errors = child.communicate(timeout=LONG)
    assert child.returncode != 0 and errors.count(b"KeyboardInterrupt") == 1, errors
    folder = os.path.join("results", "slow")
    assert f"the study is saved in {folder}; resume=True continues it\n".encode() in errors
    (tmp_path / "hold").unlink()
    again = begin(tmp_path, name="slow", resume=True, processes=processes)
    output, errors = again.communicate(timeout=LONG)
    assert again.returncode == 0, errors
    assert eval(output)[0]["k"] in (3, 4, 5)
    assert (tmp_path / "results/slow/recommendation.toml").exists()


@pytest.mark.parametrize("processes", [1, 2])
def test_an_interrupted_study_without_a_name_returns_what_there_is(tmp_path, processes):
    (tmp_path / "hold").touch()
    child = begin(tmp_path, processes=processes)
    os.killpg(child.pid, signal.SIGINT)
    output, errors = child.communicate(timeout=LONG)
    assert child.returncode == 0, errors
    params, improvement, interval, text = eval(output, {"inf": math.inf})
    assert 1 <= params["k"] <= 20 and not improvement and interval == (-math.inf, math.inf)
    assert re.match(r"not tested: interrupted after \d+ trials?; ", text), text


@pytest.mark.skipif(sys.platform != "linux", reason="it looks at processes")
def test_nothing_outlives_a_killed_study(tmp_path):
    def runs(process):
        try:
            return open(f"/proc/{process}/stat").read().rsplit(") ", 1)[1][0] != "Z"
        except OSError:
            return False

    (tmp_path / "hold").touch()
    child = begin(tmp_path, name="slow", resume=True, processes=2)
    workers = set((tmp_path / "calls").read_text().split())
    assert len(workers) == 2 and all(runs(worker) for worker in workers)
    # Only this process.
    child.kill()
    child.wait(timeout=LONG)
    wait_until(lambda: not any(runs(worker) for worker in workers))
    import fcntl

    def is_free():
        with open(tmp_path / "results/slow/.lock") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            return True

    wait_until(is_free)
    (tmp_path / "hold").unlink()
    again = begin(tmp_path, name="slow", resume=True, processes=2)
    output, errors = again.communicate(timeout=LONG)
    assert again.returncode == 0, errors


def test_threads_share_a_study(tmp_path):
    options = {"instances": range(100), "budget": 200, "goal": "minimize", "parallel": 4, "name": "same"}
    failed = []

    def work(study):
        try:
            while not study.done:
                for trial in study.ask():
                    study.tell(trial, cost(**trial.params, instance=trial.instance))
                    assert study.best.trials <= 200
        except BaseException as error:
            failed.append(error)

    with et.Study(PARAMETERS, results=tmp_path / "several", **options) as several:
        threads = [threading.Thread(target=work, args=(several,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with et.Study(PARAMETERS, results=tmp_path / "one", **options) as one:
        work(one)
    assert not failed
    assert tables(several.folder) == tables(one.folder)


class Picky(Exception):
    def __init__(self, first, second):
        super().__init__(f"{first} and {second}")


def raises(k, seed):
    raise Picky("salt", "pepper")


def test_any_exception_of_another_process_is_reported():
    with pytest.raises(Picky, match="salt and pepper"):
        et.tune(raises, {"k": et.Int(1, 20)}, budget=40)
    with pytest.raises(et.EvolveError, match="`raises` raised Picky: salt and pepper\n(?s:.*)in raises"):
        et.tune(raises, {"k": et.Int(1, 20)}, budget=40, processes=2)


def test_numbers_of_numpy_are_numbers():
    numpy = pytest.importorskip("numpy")
    low, high = numpy.array([1, 20])
    parameters = {
        "k": et.Int(low, high, start=numpy.int64(15)),
        "x": et.Float(numpy.float32(-1), numpy.float64(1)),
        "n": et.Choice(numpy.array([2, 4, 8]), start=numpy.int64(4)),
    }
    found = []

    def score(k, x, n, instance):
        found.append((k, n))
        return numpy.float64(-((k - 4) ** 2) - x * x - n + instance % 3)

    result = et.tune(score, parameters, instances=numpy.arange(40), budget=numpy.int64(120), seed=numpy.int64(3))
    assert result.params["n"] == 2 and (15, 4) in found


def test_the_version_is_that_of_the_package():
    assert re.match(r"[0-9]+(\.[0-9]+)*", et.__version__)


def test_the_protocol_answers_what_it_does_not_understand(tmp_path):
    from evolve_tuner import _serve

    parameters = {"k": {"int": [1, 9]}}

    def opens(**program):
        job = {"name": "odd", "program": {"command": "f", **program}, "parameters": parameters}
        return json.dumps({"open": {"job": job}})

    odd = [opens(files="nowhere/*"), opens(seeds=[1, None]), opens(seeds=["a", "b"], scale={"best": "nowhere.csv"})]
    lines = [*odd, "{", '"ask"', '{"ask": 1}', '{"open": {"jb": {}}}', '{"open": {"job": {"game": {"name": "gomoku"}}}}', '"close"']
    raw = b'{"open": {"job": {"name": "\xff"}}}\n\xff\n'
    process = subprocess.run(
        [_serve.command(), "serve"], input=raw + "\n".join(lines).encode(), capture_output=True, timeout=LONG, cwd=tmp_path
    )
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    assert process.returncode == 0 and len(answers) == len(lines) + 2 and all("error" in answer for answer in answers)
    assert "unicode" in answers[0]["error"] and "column" in answers[1]["error"]
    assert answers[2 + lines.index('"ask"')]["error"] == '`ask` needs a value: {"ask": 1}'


@pytest.mark.skipif("EVOLVE_SPEED" not in os.environ, reason="a measurement: EVOLVE_SPEED=1")
def test_speed_of_processes():
    for processes in (1, 2) * 3:
        begin = time.monotonic()
        result = et.tune(quick, {"k": et.Int(1, 20)}, budget=2000, processes=processes, progress=False)
        calls = len(result.trials("list"))
        print(f"{processes} processes: {1000 * (time.monotonic() - begin) / calls:.2f} ms a call")


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


def by_size(k, instance):
    return -abs(k - (4 if instance < 30 else 16))


def test_features_of_instances_group_the_verdict():
    sizes = list(range(10, 50))
    features = {"size": sizes, "kind": ["small" if size < 30 else "large" for size in sizes]}
    result = et.tune(
        by_size,
        {"k": et.Int(1, 20, start=1)},
        instances=sizes,
        features=features,
        budget=90,
        program={"group_by": ["kind", "size"]},
    )
    # The mean over all instances has no single best value; the ends of the range are worse.
    assert 4 <= result.params["k"] <= 16
    rows = result.trials("list")
    assert {row["groups"].split()[0] for row in rows} == {"kind=small", "kind=large"}
    assert "kind = small: " in result.text and "kind = large: " in result.text
    assert "size = 10 to " in result.text
