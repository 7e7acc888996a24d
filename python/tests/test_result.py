"""What a result shows, and its trials."""

import builtins
import csv
import html

import evolve_tuner as et
import pytest

PARAMETERS = {
    "k": et.Int(1, 9, start=3),
    "move": et.Choice(["=swap", None, 2]),
    "depth": et.Int(1, 5, condition="k > 4"),
    "polish": et.Bool(),
}


def score(k, move, polish, instance, depth=0):
    return k + (move is None) + instance % 3


@pytest.fixture(scope="module")
def result():
    return et.tune(score, PARAMETERS, instances=range(100, 140), budget=80)


def test_rows_have_the_types_of_their_values(result):
    rows = result.trials("list")
    with open(result.folder / "trials.csv", newline="") as file:
        table = list(csv.DictReader(file))
    assert len(rows) == len(table) > 20
    assert {row["value.move"] for row in rows} == {"=swap", None, 2}
    for row, text in zip(rows, table):
        assert row["trial"] == int(text["trial"]) and f"s{row['seed']}" == text["seed"]
        assert row["seconds"] >= 0 and type(row["value.k"]) is int and type(row["value.polish"]) is bool
        # The index of the instance, from which its score follows.
        assert 0 <= row["instance"] < 40
        assert row["score"] == score(row["value.k"], row["value.move"], True, 100 + row["instance"])
        assert type(row["value.depth"]) is int
        assert row["started"].utcoffset().total_seconds() == 0 and row["started"].year > 2000
    # Trials that are in play together begin in any order.
    assert min(row["started"] for row in rows) < max(row["started"] for row in rows)
    # No trial has failed, and there are no metrics.
    assert not {"failure", "metrics", "groups"} & set(rows[0]) and {"failure", "metrics", "groups"} < set(table[0])


def test_candidates_are_numbered(result):
    rows = result.trials("list")
    values = {}
    for row in rows:
        of_row = tuple(row[name] for name in row if name.startswith("value."))
        assert values.setdefault(row["candidate"], of_row) == of_row
    assert list(values) == list(range(len(values))) and len(set(values.values())) == len(values) > 3


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_data_frames(result, kind):
    library = pytest.importorskip(kind)
    frame, rows = result.trials(kind), result.trials("list")
    assert isinstance(frame, library.DataFrame) and list(frame.columns) == list(rows[0])
    for name in ("trial", "seed", "candidate", "value.k", "score", "seconds"):
        assert frame[name].to_list() == [row[name] for row in rows]
    assert any(row["seed"] >= 2**63 for row in rows), "it must be a test of wide seeds"


def test_the_first_library_that_is_installed(result, monkeypatch):
    kinds = {"pandas": pytest.importorskip("pandas"), "polars": pytest.importorskip("polars")}
    missing = set()

    def find(name, *others, **named):
        if name in missing:
            raise ImportError(name)
        return imported(name, *others, **named)

    imported = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", find)
    for kind, library in kinds.items():
        assert isinstance(result.trials(), library.DataFrame)
        missing.add(kind)
        with pytest.raises(ImportError):
            result.trials(kind)
    assert isinstance(result.trials(), list)
    with pytest.raises(ValueError, match="`kind` is .*not 'arrow'"):
        result.trials("arrow")


def test_a_page_in_a_notebook(result):
    page = result._repr_html_()
    assert html.escape(result.text) in page and page.count("data:image/svg+xml;base64,") == 2
    assert "alt='gain by trial'" in page and "alt='effect of each parameter'" in page
    assert "<th style='text-align:left'>move</th><td style='text-align:left'>None</td>" in page
    evil = et.Result({"<b>": "<i>"}, False, (0, 0, 0), "<script>", result.folder, ("<u>",))._repr_html_()
    assert not any(tag in evil for tag in ("<b>", "<i>", "<script>", "<u>"))


def test_a_study_shows_its_incumbent_until_it_has_a_result():
    with et.Study(PARAMETERS, instances=range(40), budget=80) as study:
        before = study._repr_html_()
        assert "incumbent" in before and "no gain is known yet" in before
        while not study.done:
            for trial in study.ask():
                study.tell(trial, score(**trial.params, instance=trial.instance))
            if not study.done and study.best.difference is not None:
                shown = study._repr_html_()
        assert "gain +" in shown and "by the model" in shown and "alt='gain by trial'" in shown
        assert html.escape(study.result.text) in study._repr_html_()


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_data_frame_before_the_first_trial_is_empty(kind):
    library = pytest.importorskip(kind)
    with et.Study(PARAMETERS, budget=80) as study:
        frame = study.trials(kind)
    assert isinstance(frame, library.DataFrame) and len(frame) == 0


def test_an_interrupted_study_has_a_result():
    with pytest.raises(KeyboardInterrupt):
        with et.Study(PARAMETERS, instances=range(40), budget=80) as study:
            for trial in study.ask():
                study.tell(trial, 1.0)
            raise KeyboardInterrupt
    assert study.done and study.result.text.startswith("not tested: interrupted after ")
    assert study.result.params == study.best.params and study.result.params["k"] == 3
    assert isinstance(study.result.trials("list"), list) and "not tested" in study.result._repr_html_()
