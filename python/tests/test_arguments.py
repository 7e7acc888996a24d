"""Arguments: what they take, and the errors that name them."""

import math
import re

import evolve_tuner as et
import pytest

K = {"k": et.Int(1, 20)}


def fragile(k, seed):
    if k > 12:
        raise ValueError("too many")
    return k + seed % 7


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
        (K, {"budget": 40, "goal": "minimise"}, '^`goal` takes "maximize" or "minimize", not "minimise"$'),
        (K, {"budget": -1}, "^`budget` takes a whole number"),
        (K, {"budget": 40, "time": "soon"}, "^`time`: must be a duration"),
        (K, {"budget": 40, "scale": "best"}, "^`scale` takes"),
        (K, {"budget": 40, "program": {"timout": 3}}, "^`program` has no key `timout`; did you mean `timeout`"),
        (K, {"budget": 40, "search": {"populaton": 3}}, "^`search` has no key `populaton`"),
        (K, {"budget": 40, "constraints": {"m": "5"}}, '^`constraints` of `m`: "5" is not a limit'),
        (K, {"budget": 40, "instances": range(20), "features": {"n": [1, 2]}}, "^`features` of `n`: 2 values for 20 instances"),
        ({"k": et.Int(0, 2**60)}, {"budget": 40}, "^`Int` of `k` takes low and high, whole numbers within .* 2.53"),
        ({"k": et.Int(1, 20, step=-1)}, {"budget": 40}, "^`step` of `k` takes a number above 0, for `int` a whole one, not -1"),
        ({"k": et.Int(1, 20, step=0.5)}, {"budget": 40}, "^`step` of `k`: a whole number has a whole step, not 0.5"),
        ({"k": et.Int(1, 20, unit=-1)}, {"budget": 40}, "^`unit` of `k` takes a number above 0, not -1"),
        ({"x": et.Float(0.1, 0.95, step=0.1, start=0.35)}, {"budget": 40}, "to 0.9 in steps of 0.1; the nearest are 0.3 and 0.4"),
        ({"x": et.Float(0.1, 10, step=0.1, log=True)}, {"budget": 40}, "^`step` of `x`: a logarithmic parameter has no step"),
        ({"k": et.Int(1, 20, prior=(3, "a"))}, {"budget": 40}, "^`prior` of `k` takes a list of numbers"),
        ({"k": et.Choice([])}, {"budget": 40}, "^`Choice` of `k` takes a list of two names or more"),
        (K, {"budget": 40, "first": [{"k": 3}, {"k": 30}]}, "^`first`, candidate 2: `k` takes a whole number from 1 to 20, not 30"),
        (K, {"budget": 40, "first": [{"q": 3}]}, "^`first`, candidate 1: no parameter `q`"),
        ({"k": et.Choice([None, "None"])}, {"budget": 40}, "`k` lists a choice twice"),
    ]:
        with pytest.raises(et.EvolveError, match=message) as error:
            et.Study(parameters, **options)
        speaks_of_arguments(error.value)
    for options, message in [
        ({}, "give `instances`, too"),
        ({"instances": [1, 2]}, "`features` of `n` takes finite numbers, not nan"),
    ]:
        with pytest.raises(ValueError, match=message):
            et.Study(K, budget=40, features={"n": [1, math.nan]}, **options)
    with pytest.raises(TypeError, match="no argument `instance`"):
        et.tune(fragile, {"k": et.Int(1, 20)}, instances=range(5), budget=40)
    with et.Study({"k": et.Int(1, 20)}, budget=40) as study:
        (trial,) = study.ask()
        for score in (None, math.nan, math.inf, "many"):
            with pytest.raises(ValueError, match=f"the score of k=10 is .*{score}.*, not a finite number"):
                study.tell(trial, score)
        with pytest.raises(et.EvolveError, match="no trial 99"):
            study.tell(et.Trial(99, {}, None, None, 0), 1.0)



def speaks_of_arguments(error):
    """Nobody who calls a function wrote a job with lines and sections."""
    found = re.search(r":[0-9]+:|\bjob\b|\[(search|program|parameters)\]|`(search|program|parameters)\.", str(error))
    assert not found, error


def described(**options):
    return {"budget": 40, "instances": range(20), "features": {"n": range(20), "one": [1] * 20}, **options}


def test_wrong_values_are_named_before_a_study_begins():
    for parameters, options, message in [
        ({"x": et.Float(0, math.nan)}, {"budget": 40}, "^`Float` of `x` takes finite numbers, not nan$"),
        ({"x": et.Float(0, 1, start=math.inf)}, {"budget": 40}, "^`start` of `x` takes finite numbers, not inf"),
        ({"x": et.Float(0, 1)}, {"budget": 40, "first": [{"x": math.nan}]}, "^`first.x` takes finite numbers, not nan"),
        (K, {"budget": 40, "on_failure": -math.inf}, "^`on_failure` takes finite numbers, not -inf"),
        ({"k": et.Int(1, 20, prior=(3,))}, {"budget": 40}, r"^`prior` of `k` takes a list of numbers, not \[3\]"),
        ({"k": et.Int(1, 20, condition="j > 3")}, {"budget": 40}, "^`condition` of `k`: no parameter `j`"),
        ({"k": et.Int(1, 20, by=["m"])}, described(), "^`by` of `k`: there is no feature `m`; the features are n, one$"),
        ({"k": et.Int(1, 20, by=["n"])}, {"budget": 40}, "^`by` of `k`: there is no feature `n`: declare it in `features`$"),
        ({"k": et.Int(1, 20, by=["one"])}, described(), "^`by` of `k`: `one` is the same on all instances$"),
        ({"k": et.Int(1, 20, by=["n"], step=2)}, described(), "^`k` has a `step`, so it follows no features"),
        (K, described(features={"n": [None] * 20}), "^`features` of `n` takes finite numbers or words, not None$"),
        (K, {"budget": 40, "instances": range(9), "program": {"split": True}}, 'program={"split": False}'),
        (K, {"budget": 40, "instances": 5}, "^`instances` takes a list of objects, not 5$"),
        (K, {"budget": 40, "forbid": "k > 3"}, r"^`forbid` takes a list, such as \['k > 3'\], not a text$"),
        ([K], {"budget": 40}, "^`parameters` takes a dictionary, .* not list$"),
    ]:
        with pytest.raises((et.EvolveError, TypeError, ValueError), match=message) as error:
            et.Study(parameters, **options)
        speaks_of_arguments(error.value)
    with pytest.raises(TypeError, match=r"`by` takes a list, such as \['n'\], not a text"):
        et.Float(0, 1, by="n")


def test_a_function_must_fit_its_parameters():
    for function, options, message in [
        (lambda j: 1.0, {}, "^`lambda` has no argument `k`, which is a parameter$"),
        (lambda k, j: 1.0, {}, "^`lambda` needs `j`, which is no parameter"),
        (lambda k, instance: 1.0, {}, "^`lambda` needs `instance`, but no `instances` are given$"),
        (lambda k, instance, seed: 1.0, {"instances": range(20)}, "^`lambda` needs `seed`, but .* take `random` instead$"),
    ]:
        with pytest.raises(TypeError, match=message):
            et.tune(function, K, budget=40, **options)
    assert et.tune(lambda seed=0, **parameters: parameters["k"], K, budget=30).params == {"k": 20}


def test_undeclared_parameters_and_empty_counts():
    with pytest.raises(TypeError, match="parameter `k` is 5; declare it with a function such as Int"):
        et.Study({"k": 5}, budget=40)
    with pytest.raises(ValueError, match="`program` cannot set `seeds`"):
        et.Study(K, budget=40, instances=list(range(20)), program={"seeds": "5-40"})
    with pytest.raises(ValueError, match="`parallel` is .* at least 1 .*not 0"):
        et.Study(K, budget=40, parallel=0)
    with pytest.raises(ValueError, match="`parallel` is .* at most 65535, not 100000"):
        et.Study(K, budget=40, parallel=100_000)
    with pytest.raises(ValueError, match="`processes` is .* at least 1, not 0"):
        et.tune(fragile, K, budget=40, processes=0)


def test_a_study_that_exists_is_named_as_such(tmp_path):
    options = {"budget": 40, "name": "night", "results": tmp_path}
    et.Study(K, **options).close()
    for changed, message in (
        ({}, "already holds a study: continue it with resume=True, or choose another `name`"),
        ({"resume": True, "seed": 3}, "a study with other arguments: there `seed = 1`, here `seed = 3`; choose another"),
    ):
        with pytest.raises(et.EvolveError, match=message) as error:
            et.Study(K, **{**options, **changed})
        speaks_of_arguments(error.value)


def test_none_is_a_choice():
    played = set()

    def score(name):
        played.add(name)
        return 1.0 if name is None else 0.0

    parameters = {"name": et.Choice([None, "a", True]), "inner": et.Choice(["b", None], start=None)}
    assert et.Study(parameters, budget=40).best.params == {"name": None, "inner": None}
    assert et.Study({"name": et.Choice(["b", None])}, budget=40).best.params == {"name": "b"}
    result = et.tune(score, {"name": et.Choice(["a", None])}, budget=30)
    assert played == {"a", None} and result.params == {"name": None} and result.improvement
    assert {row["value.name"] for row in result.trials("list")} == {"a", None}
    # In a condition, it is a name.
    conditional = {"name": et.Choice([None, "a"]), "k": et.Int(1, 9, condition="name == 'None'")}
    with et.Study(conditional, budget=40) as study:
        assert set(study.best.params) == {"name", "k"}


def test_whole_numbers_beyond_2_to_the_53_are_kept_apart():
    large = [2**53, 2**53 + 1, 2**53 + 2, -(2**64) - 1]
    played = set()

    def score(n):
        assert type(n) is int
        played.add(n)
        return large.index(n)

    result = et.tune(score, {"n": et.Choice(large, start=2**53 + 1)}, budget=30)
    assert played == set(large) and result.params == {"n": large[-1]}
    assert {row["value.n"] for row in result.trials("list")} == set(large)


def test_bounds_of_numpy():
    numpy = pytest.importorskip("numpy")
    low, high = numpy.array([1, 20])
    parameters = {
        "k": et.Int(low, high, start=numpy.int64(15), step=numpy.float64(2), unit=numpy.float64(3), prior=numpy.array([4.0, 2.0])),
        "x": et.Float(*numpy.array([-1, 1], dtype=numpy.float32), prior=(numpy.float32(0), numpy.float32(1))),
        "b": et.Bool(start=numpy.bool_(True)),
        "c": et.Choice(numpy.array([True, False]), start=numpy.bool_(False)),
        "n": et.Choice([numpy.int64(2**53 + 1), numpy.int64(2**53)]),
    }
    with et.Study(parameters, budget=numpy.int64(60), parallel=numpy.int64(2), on_failure=numpy.float64(-1)) as study:
        assert study.best.params == {"k": 15, "x": 0, "b": True, "c": False, "n": 2**53 + 1}


def test_candidates_are_played_first_as_given():
    numpy = pytest.importorskip("numpy")
    parameters = {"k": et.Int(1, 20, start=5), "x": et.Float(0.01, 100, log=True, start=1), "c": et.Choice([None, 2, "a", 2**53 + 1])}
    first = [{"x": 0.3}, {"k": numpy.int64(7), "c": 2}, {"c": 2**53 + 1, "x": numpy.float64(12.5)}, {"c": "a"}]
    result = et.tune(lambda k, x, c, seed: float(k), parameters, first=first, budget=60)
    searched = [row for row in result.trials("list") if row["stage"] == "search"]
    played = [tuple(row[f"value.{name}"] for name in parameters) for row in searched[:5]]
    assert played == [(5, 1.0, None), (5, 0.3, None), (7, 1.0, 2), (5, 12.5, 2**53 + 1), (5, 1.0, "a")]
