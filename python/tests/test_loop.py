"""Callbacks, an early stop, the incumbent at any time, and coroutines."""

import asyncio
import math
from collections import Counter

import evolve_tuner as et
import pytest

PARAMETERS = {"k": et.Int(1, 20, start=15)}


def near(k, seed):
    return -((k - 4) ** 2) + seed % 3


def fails(k, seed):
    if k > 10:
        raise ValueError("too many")
    return float(k)


@pytest.mark.parametrize("processes", [1, 2])
def test_callbacks_receive_every_trial(processes):
    seen = []

    def callback(study, trial, score):
        assert isinstance(study, et.Study) and study.best.trials >= 0
        seen.append((trial.params["k"], score))

    result = et.tune(fails, PARAMETERS, budget=60, on_failure=-9, callbacks=[callback], processes=processes)
    assert all(score == (None if k > 10 else k) for k, score in seen) and any(score is None for _, score in seen)
    # The first trials, which show whether the function repeats, are in no table.
    table = Counter((row["value.k"], row.get("score")) for row in result.trials("list"))
    assert not Counter(k for k, _ in table.elements()) - Counter(k for k, _ in seen)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_callback_stops_a_study(processes, tmp_path):
    seen = []

    def callback(study, trial, score):
        seen.append(score)
        if len(seen) == 30:
            study.stop()

    options = {"budget": 200, "processes": processes, "name": "early", "results": tmp_path}
    stopped = et.tune(near, PARAMETERS, callbacks=[callback], **options)
    assert stopped.text.startswith("not tested: stopped after ") and not stopped.improvement
    assert math.isnan(stopped.difference[0]) and 1 <= stopped.params["k"] <= 20
    assert len(seen) < 60
    resumed = et.tune(near, PARAMETERS, resume=True, **options)
    whole = et.tune(near, PARAMETERS, **{**options, "name": "whole"})
    assert resumed.improvement and (resumed.params, resumed.difference) == (whole.params, whole.difference)


def test_an_error_of_a_callback_ends_the_study():
    def callback(study, trial, score):
        raise RuntimeError("no space")

    with pytest.raises(RuntimeError, match="no space"):
        et.tune(near, PARAMETERS, budget=60, callbacks=[callback])


def test_the_incumbent_at_any_time():
    study = et.Study(PARAMETERS, instances=range(40), budget=60)
    assert study.best.params == {"k": 15} and study.best.trials == 0 and study.best.difference is None
    with study:
        while not study.done:
            for trial in study.ask():
                study.tell(trial, near(trial.params["k"], trial.instance))
            assert 0 <= study.best.share <= 1
    # It is closed now.
    assert study.best.params == study.result.params and study.best.phase == "done"
    assert study.best.evidence == "test" and study.best.difference == pytest.approx(study.result.difference)


def test_coroutines_share_a_study(tmp_path):
    options = {"budget": 80, "parallel": 4, "results": tmp_path}

    async def work(study):
        while not study.done:
            for trial in await study.ask_async():
                await asyncio.sleep(0)
                study.tell(trial, near(trial.params["k"], trial.seed))

    async def together(study):
        # A request that is cancelled loses no trial: the search would wait for its score forever.
        lost = asyncio.create_task(study.ask_async(4))
        await asyncio.sleep(0)
        lost.cancel()
        await asyncio.gather(*(work(study) for _ in range(4)))

    with et.Study(PARAMETERS, name="together", **options) as several:
        asyncio.run(together(several))
    with et.Study(PARAMETERS, name="alone", **options) as one:
        while not one.done:
            for trial in one.ask():
                one.tell(trial, near(trial.params["k"], trial.seed))
    assert several.result.params == one.result.params
    tables = [(study.folder / "trials.csv").read_bytes() for study in (several, one)]
    assert tables[0] == tables[1]
