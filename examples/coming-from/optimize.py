"""The study for Optuna: python3 optimize.py"""

import subprocess
from pathlib import Path

import optuna


def objective(trial):
    arguments = ["--k", str(trial.suggest_int("k", 1, 20))]
    move = trial.suggest_categorical("move", ["swap", "2opt"])
    arguments += ["--move", move]
    arguments += ["--temp", str(trial.suggest_float("temp", 0.01, 100.0, log=True))]
    scores = []
    for instance in sorted(Path("in").iterdir()):
        command = ["python3", "solver.py", *arguments]
        output = subprocess.run(command, stdin=instance.open(), capture_output=True, text=True, check=True)
        scores.append(float(output.stdout.split("=")[1]))
    return sum(scores) / len(scores)


study = optuna.create_study(direction="minimize")
study.optimize(objective, n_trials=30)
print(study.best_params)
