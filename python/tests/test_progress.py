"""Progress in a terminal and in a notebook."""

import importlib.util
import re
import sys

import evolve_tuner as et
import pytest
from evolve_tuner import _progress

INTERVAL = r"\d+ trials, \w+, [-+][0-9.e+-]+ \([-+][0-9.e+-]+ to [-+][0-9.e+-]+\)"


class Clock:
    """Every look at it takes long, so that no update depends on the speed of the machine."""

    now = 0.0

    @classmethod
    def monotonic(cls):
        cls.now += 0.6
        return cls.now


def score(k, seed):
    return k + seed % 7


def tune(**options):
    return et.tune(score, {"k": et.Int(1, 9)}, budget=60, **options)


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(_progress, "clock", Clock)


def test_a_line_without_tqdm(clock, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    tune(progress=True)
    errors = capsys.readouterr().err
    lines = errors.split("\r")
    assert len(lines) > 4 and any("trials, search" in line for line in lines), errors
    assert re.search(INTERVAL, errors), errors
    # Nothing of it is left, and no escapes, which notebooks would show.
    assert lines[-2].strip() == "" and lines[-1] == "" and "\x1b" not in errors


def test_a_bar_with_tqdm(clock, capsys):
    pytest.importorskip("tqdm")
    tune(progress=True)
    errors = capsys.readouterr().err
    assert re.search(r"\d+%\|.*" + INTERVAL, errors), errors
    shares = [int(share) for share in re.findall(r"(\d+)%\|", errors)]
    assert shares == sorted(shares) and shares[-1] > 20


def test_it_shows_by_itself_in_a_terminal_alone(clock, monkeypatch, capsys):
    tune()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    tune()
    assert "trials, search" in capsys.readouterr().err
    tune(progress=False)
    assert capsys.readouterr().err == ""


CELLS = [
    """
import evolve_tuner as et
from evolve_tuner import _progress
_progress._INTERVAL = 0.0
def score(k, seed):
    return k + seed % 7
result = et.tune(score, {"k": et.Int(1, 9)}, budget=60)
""",
    "result",
    "print(type(result.trials()).__module__)",
]


def test_a_notebook():
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbclient.NotebookClient(notebook, timeout=600).execute()
    progress, shown, frame = (cell.outputs for cell in notebook.cells)
    text = "".join(output.get("text", "") for output in progress)
    assert "trials, search" in text and "Warning" not in text, progress
    (result,) = shown
    page = result["data"]["text/html"]
    assert "<td style='text-align:left'>9</td>" in page and "improvement found" in page
    assert "data:image/svg+xml;base64," in page
    # Pandas is the first of those that are installed.
    first = next((name for name in ("pandas", "polars") if importlib.util.find_spec(name)), "builtins")
    assert frame[0]["text"].startswith(first)
