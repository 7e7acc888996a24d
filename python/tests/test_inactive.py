"""Parameters whose condition is false are not passed."""

import evolve_tuner as et

PARAMETERS = {
    "move": et.Choice(["swap", "turn"]),
    "depth": et.Int(1, 9, start=5, condition="move == 'turn'"),
    "rate": et.Float(0.0, 1.0, start=0.5, condition="move == 'turn'"),
}


def test_inactive_parameters_are_not_passed(tmp_path):
    seen = []

    def play(move, depth, rate=None):
        seen.append((move, depth, rate))
        return float(move == "turn") + (depth or 0) / 100 + (rate or 0)

    result = et.tune(play, PARAMETERS, budget=60, results=str(tmp_path))
    assert {move for move, *_ in seen} == {"swap", "turn"}
    for move, depth, rate in seen:
        assert (depth is None) == (rate is None) == (move == "swap")
    assert result.params["move"] == "turn"


def test_inactive_parameters_are_not_recommended(tmp_path):
    result = et.tune(lambda move, depth=0, rate=0: float(move == "swap"), PARAMETERS, budget=60, results=str(tmp_path))
    assert result.params == {"move": "swap"}
