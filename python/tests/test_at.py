"""The parameters of a result on one instance."""

import math

import evolve_tuner as et
import pytest

SIZES = [round(10 * 1.08**i) for i in range(48)]
KINDS = ["tree" if i % 3 else "grid" for i in range(48)]
PARAMETERS = {
    "temp": et.Float(1, 1000, log=True, start=30, by=["Size"]),
    "move": et.Choice(["swap", None]),
    "k": et.Int(1, 20, start=5, by=["kind"]),
}
CALLED = set()


def score(temp, move, k, instance):
    CALLED.add((instance, temp, k))
    best = 3 if KINDS[instance] == "grid" else 15
    return -abs(math.log(temp / (SIZES[instance] / 2))) - 0.1 * abs(k - best) + (move is None)


def test_parameters_on_an_instance_are_those_that_calls_received():
    features = {"Size": SIZES, "kind": KINDS}
    result = et.tune(score, PARAMETERS, instances=range(48), features=features, budget=240, progress=False)
    small, large = result.at(Size=10, kind="grid"), result.at(Size=300, kind="tree")
    assert list(small) == ["temp", "move", "k"] and small["move"] is None
    assert small["temp"] < 15 < 60 < large["temp"] and small["k"] < 7 < 11 < large["k"]
    with pytest.raises(TypeError, match="temp.* missing .*'size'"):
        result.at(kind="grid")
    rows = [row for row in result.trials("list") if row["stage"] == "test"]
    finalist = [row["instance"] for row in rows if row["value.temp:Size"] == result.coefficients["temp:Size"]]
    assert len(finalist) >= 6
    for instance in finalist:
        at = result.at(Size=SIZES[instance], kind=KINDS[instance])
        received = [(temp, k) for own, temp, k in CALLED if own == instance]
        assert any(k == at["k"] and temp == pytest.approx(at["temp"], rel=1e-9) for temp, k in received)


def test_without_functions_they_are_the_same_everywhere():
    result = et.tune(lambda k, instance: float(k), {"k": et.Int(1, 9)}, instances=range(20), budget=40, progress=False)
    assert result.at(size=3) == result.params == {"k": 9}
