"""Parameters that follow features, constraints, and the trials of a study that is not complete."""

import math
import time as clock

import evolve_tuner as et
import pytest

SIZES = [10 * 2 ** (i % 8) for i in range(64)]
KINDS = ["tree" if i % 3 else "grid" for i in range(48)]
#: Instances and values of calls.
CALLED = set()
FOLLOWING = {"temp": et.Float(1, 1000, log=True, start=30, by=["n"]), "k": et.Int(1, 9)}


def of_size(temp, k, instance):
    return (math.log(temp) - math.log(instance)) ** 2 + 0.01 * k


def limited(k, seed):
    return float(k) + seed % 3, {"memory": 10.0 * k}


def wrong(k, seed):
    return float(k)


def test_a_number_follows_a_feature():
    result = et.tune(of_size, FOLLOWING, instances=SIZES, features={"n": SIZES}, budget=300, goal="minimize")
    assert set(result.params) == {"temp", "k"} and set(result.coefficients) == {"temp:n"}
    assert result.improvement and result.coefficients["temp:n"] > 0.3
    # The code has the function, which is close to the best one, `n`.
    code = {}
    exec(result.export(), code)
    (temp,) = (value for name, value in code.items() if name.lower() == "temp")
    assert temp(1280) > 10 * temp(10)
    assert all(isinstance(row["value.temp:n"], float) for row in result.trials("list"))
    assert "temp:n" in result._repr_html_()


def test_a_trial_has_the_value_for_its_instance():
    first = [{"temp": 100.0, "temp:n": 0.7}]
    seen = {}
    with et.Study(FOLLOWING, instances=SIZES, features={"n": SIZES}, budget=60, goal="minimize", first=first) as study:
        while not study.done:
            for trial in study.ask():
                assert set(trial.params) == {"temp", "k"}
                seen.setdefault(trial.instance, set()).add(trial.params["temp"])
                study.tell(trial, of_size(**trial.params, instance=trial.instance))
    assert len({temp for temps in seen.values() for temp in temps}) > 8


@pytest.fixture(scope="module")
def grouped():
    return tuned()


def tuned(**options):
    options = {"instances": range(48), "features": {"kind": KINDS, "n": SIZES[:48]}, "budget": 240, **options}
    parameters = {"k": et.Int(1, 20, start=5, by=["kind"]), "move": et.Choice(["swap", None])}
    return et.tune(of_kind, parameters, **options)


def of_kind(k, move, instance):
    CALLED.add((instance, k))
    return -0.1 * abs(k - (3 if KINDS[instance] == "grid" else 15)) + (move is None)


def test_a_number_has_a_value_for_each_word(grouped):
    assert grouped.improvement and grouped.params["move"] is None
    assert grouped.coefficients["k:kind=grid"] < grouped.coefficients["k:kind=tree"]
    defined = {}
    exec(grouped.export(), defined)
    assert defined["k"]("grid") < 7 < 11 < defined["k"]("tree") and not callable(defined["move"])
    # The test has called the function with these values.
    rows = [row for row in grouped.trials("list") if row["stage"] == "test"]
    played = {row["instance"] for row in rows if row["value.k:kind=grid"] == grouped.coefficients["k:kind=grid"]}
    assert len(played) >= 6 and {(one, defined["k"](KINDS[one])) for one in played} <= CALLED


def test_features_do_not_depend_on_processes(grouped):
    together = tuned(processes=2)
    for name in ("trials.csv", "recommendation.toml"):
        assert (together.folder / name).read_bytes() == (grouped.folder / name).read_bytes()


def test_a_study_with_features_resumes(grouped, tmp_path):
    options = {"name": "night", "results": tmp_path}
    stopped = tuned(callbacks=[lambda study, trial, score: study.best.trials > 60 and study.stop()], **options)
    again = tuned(resume=True, **options)
    assert set(stopped.coefficients) == set(again.coefficients)
    assert (again.params, again.coefficients) == (grouped.params, grouped.coefficients)


def test_a_wrong_feature_is_named():
    with pytest.raises(et.EvolveError, match="there is no feature `m`; the features are n") as error:
        et.Study({"k": et.Int(1, 9, by=["m"])}, instances=SIZES, features={"n": SIZES}, budget=60)
    assert "job" not in str(error.value) and "[program]" not in str(error.value)
    with pytest.raises(TypeError, match="`by` takes a list, such as \\['n'\\], not a text"):
        et.Int(1, 9, by="n")


@pytest.mark.parametrize("processes", [1, 2])
def test_constraints_hold(processes):
    parameters, options = {"k": et.Int(1, 20, start=5)}, {"budget": 120, "processes": processes}
    result = et.tune(limited, parameters, constraints={"memory": "<= 125"}, **options)
    assert result.improvement and 9 <= result.params["k"] <= 12
    assert all("memory=" in row["metrics"] for row in result.trials("list"))
    with pytest.raises(TypeError, match="with `constraints`, `wrong` returns its score and its metrics, .* not 1.0|5.0"):
        et.tune(wrong, parameters, constraints={"memory": "<= 125"}, **options)


def test_trials_before_the_end():
    counts = []
    with et.Study({"k": et.Int(1, 20)}, budget=60) as study:
        assert study.trials("list") == []
        while not study.done:
            for trial in study.ask():
                study.tell(trial, float(trial.params["k"]))
            counts.append(len(study.trials("list")))
        assert counts == sorted(counts) and 0 < counts[len(counts) // 2] < counts[-1]
        rows = study.trials("list")
    assert rows == study.result.trials("list") == study.trials("list")


def test_seconds_are_those_between_ask_and_tell():
    with et.Study({"k": et.Int(1, 20)}, budget=40, parallel=8) as study:
        # Trials wait meanwhile to be requested.
        clock.sleep(0.3)
        longest = 0.0
        while not study.done:
            begin = clock.perf_counter()
            for trial in study.ask(8):
                study.tell(trial, float(trial.params["k"]))
            longest = max(longest, clock.perf_counter() - begin)
        # Seconds are rounded.
        assert all(row["seconds"] <= longest + 1e-3 for row in study.trials("list"))


def test_seconds_of_a_group_are_those_of_each_call():
    def slow(k, seed):
        clock.sleep(0.002)
        return float(k)

    begin = clock.perf_counter()
    seconds = [row["seconds"] for row in et.tune(slow, {"k": et.Int(1, 20)}, budget=40).trials("list")]
    assert min(seconds) >= 0.002 and sum(seconds) <= clock.perf_counter() - begin
