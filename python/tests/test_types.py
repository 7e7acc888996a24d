"""The types of the module, by mypy: in the module, in the examples of docs/python.md, and for mistakes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")

DOCS = Path(__file__).resolve().parents[2] / "docs"
# The examples leave their functions to the reader, and have no annotations.
BEFORE = """
from typing import Any
import evolve_tuner as et
parameters = {"k": et.Int(1, 20)}
def play(params: dict[str, Any], instance: Any) -> float: return 0.0
"""
WRONG = """
import evolve_tuner as et

@et.tunable(k=et.Int(1, 20))
def score(k: int) -> float:
    return k

result: et.Result = score.tune(budget=60, processes=2)
number: float = score(3)
score.tune(budgett=60)
et.tune(score, {"k": et.Int(1, 20)}, budget="many")
et.tune(score, {"k": et.Int(1, 20)}, budgett=60)
et.Study({"k": et.Int(1, 20)}, budget=60, goal="minimise")
"""


def mypy(*arguments):
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *arguments]
    return subprocess.run(command, capture_output=True, text=True).stdout


def test_the_module_has_types():
    assert mypy("-p", "evolve_tuner") == ""


def test_the_documented_examples_have_types(tmp_path):
    examples = re.findall(r"```python\n(.*?)```", (DOCS / "python.md").read_text(), re.DOTALL)
    assert len(examples) >= 3
    for i, example in enumerate(examples):
        (tmp_path / f"example{i}.py").write_text(BEFORE + example)
    relaxed = ["--allow-untyped-defs", "--allow-untyped-calls", "--allow-incomplete-defs", "--disable-error-code=empty-body"]
    assert mypy(*relaxed, str(tmp_path)) == ""


def test_mistakes_are_found(tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    lines = [int(line.split(":")[1]) for line in mypy(str(path)).splitlines() if ": error: " in line]
    assert lines == [10, 11, 12, 13]
