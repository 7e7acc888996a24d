"""Writes 400 instances of random 3-SAT near the threshold into its own folder, cnf/000.cnf to cnf/399.cnf, the same ones on every
machine: `random()` alone gives the same numbers in all versions of Python."""

from pathlib import Path
from random import Random

folder = Path(__file__).parent / "cnf"
folder.mkdir(exist_ok=True)
for number in range(400):
    random = Random(number)
    variables = 130 + int(random.random() * 51)
    clauses = []
    while len(clauses) < round(4.26 * variables):
        clause = {1 + int(random.random() * variables): random.random() < 0.5 for _ in range(3)}
        if len(clause) == 3:
            clauses.append(" ".join(str(variable if sign else -variable) for variable, sign in sorted(clause.items())) + " 0")
    text = "\n".join([f"p cnf {variables} {len(clauses)}", *clauses]) + "\n"
    file = folder / f"{number:03}.cnf"
    # Others may be reading it.
    if not file.exists() or file.read_text() != text:
        file.write_text(text, newline="\n")
