"""Writes the instances cnf/000.cnf to cnf/199.cnf in DIMACS form, the same ones on every machine.

Even numbers are random 3-SAT near the threshold, where half of the formulas are satisfiable. Odd numbers ask a
multiplier circuit for two factors of a number: every other one is a prime, so that there are none.
"""

from pathlib import Path
from random import Random

INSTANCES = 200
VARIABLES = (160, 210)  # of random formulas, from the smallest to the largest
CLAUSES_PER_VARIABLE = 4.26
BITS = (22, 26)  # of numbers to factor


def dice(random, below):
    """A number from 0 to below - 1. `random()` alone gives the same numbers in all versions of Python."""
    return int(random.random() * below)


def random_3sat(random):
    variables = VARIABLES[0] + dice(random, VARIABLES[1] - VARIABLES[0] + 1)
    clauses = []
    for _ in range(round(CLAUSES_PER_VARIABLE * variables)):
        clause = []
        while len(clause) < 3:
            variable = 1 + dice(random, variables)
            if variable not in map(abs, clause):
                clause.append(variable if random.random() < 0.5 else -variable)
        clauses.append(clause)
    return variables, clauses


class Circuit:
    """Gates as clauses, by Tseitin's transformation. A signal is a literal."""

    def __init__(self):
        self.variables = 0
        self.clauses = []

    def signal(self):
        self.variables += 1
        return self.variables

    def both(self, a, b):
        out = self.signal()
        self.clauses += [[-out, a], [-out, b], [out, -a, -b]]
        return out

    def parity(self, a, b):
        out = self.signal()
        self.clauses += [[-out, a, b], [-out, -a, -b], [out, -a, b], [out, a, -b]]
        return out

    def majority(self, a, b, c):
        out = self.signal()
        for x, y in [(a, b), (a, c), (b, c)]:
            self.clauses += [[out, -x, -y], [-out, x, y]]
        return out

    def product(self, a, b):
        """The bits of a product, from the lowest: partial products, added column by column."""
        columns = [[] for _ in range(len(a) + len(b))]
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                columns[i + j].append(self.both(x, y))
        bits = []
        for place, column in enumerate(columns):
            while len(column) > 1:
                x, y, *rest = column
                if rest:
                    z, *rest = rest
                    carry = self.majority(x, y, z)
                    sum_ = self.parity(self.parity(x, y), z)
                else:
                    carry, sum_ = self.both(x, y), self.parity(x, y)
                column = rest + [sum_]
                # The last column has no carry: its product would not fit.
                if place + 1 < len(columns):
                    columns[place + 1].append(carry)
                else:
                    self.clauses.append([-carry])
            bits += column
        return bits


def is_prime(number):
    return all(number % divisor for divisor in range(2, int(number**0.5) + 1))


def factoring(random, prime):
    bits = BITS[0] + dice(random, BITS[1] - BITS[0] + 1)
    smallest, half = 1 << (bits - 1), 1 << (bits // 2 - 1)
    while True:
        if prime:
            number = smallest + dice(random, smallest)
            fits = is_prime(number)
        else:
            p, q = half + dice(random, half), half + dice(random, 4 * half)
            number = p * q
            fits = smallest <= number < 2 * smallest and is_prime(p) and is_prime(q)
        if fits:
            break
    circuit = Circuit()
    a = [circuit.signal() for _ in range((bits + 1) // 2)]
    b = [circuit.signal() for _ in range(bits - 1)]
    for place, bit in enumerate(circuit.product(a, b)):
        circuit.clauses.append([bit if number >> place & 1 else -bit])
    # Neither factor is 1.
    circuit.clauses += [a[1:], b[1:]]
    return circuit.variables, circuit.clauses


def main():
    folder = Path(__file__).parent / "cnf"
    folder.mkdir(exist_ok=True)
    for number in range(INSTANCES):
        random = Random(number)
        variables, clauses = factoring(random, number % 4 == 1) if number % 2 else random_3sat(random)
        lines = [f"p cnf {variables} {len(clauses)}"]
        lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
        (folder / f"{number:03}.cnf").write_text("\n".join(lines) + "\n", newline="\n")


main()
