"""The study of Optuna in docs/coming-from.md, and its twin."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "coming-from.md"


def script(module):
    scripts = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (found,) = [script for script in scripts if re.search(rf"^import {module}\b", script, re.MULTILINE)]
    return found


def run(module, folder):
    """Runs a script with calls of its function counted, and returns its output and their number."""
    counted = "def cost(k, temp, instance):\n"
    assert script(module).count(counted) == 1
    text = script(module).replace(counted, counted + "    open('calls', 'a').write('.')\n")
    path = folder / f"study_{module}.py"
    path.write_text(text)
    done = subprocess.run([sys.executable, path.name], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, (folder / "calls").stat().st_size


def test_the_scripts_are_of_the_same_size():
    sizes = [len(script(module).splitlines()) for module in ("optuna", "evolve_tuner")]
    assert all(abs(size - 20) <= 2 for size in sizes), sizes


def test_the_study_of_optuna(tmp_path):
    pytest.importorskip("optuna")
    output, calls = run("optuna", tmp_path)
    assert calls == 300 and "'temp'" in output


def test_its_twin(tmp_path):
    output, calls = run("evolve_tuner", tmp_path)
    # The first trials, which show whether the function repeats, are beside the budget.
    assert 250 < calls <= 310
    params, difference = (eval(line) for line in output.splitlines()[:2])
    assert 2 <= params["k"] <= 6 and 2 < params["temp"] < 4 and difference[1] > 20
