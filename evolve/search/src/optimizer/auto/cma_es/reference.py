"""Writes reference.json: what the `cmaes` package (CyberAgent AI Lab), which follows Hansen's tutorial equation by equation,
makes of the candidates that it draws, generation by generation.

    pip install cmaes==0.13.1
    python reference.py > reference.json
"""

import json
import sys

import numpy as np
from cmaes import CMA


def objective(x):
    """An ellipsoid, turned a little, to be minimised."""
    turned = [x[i] + 0.5 * x[i - 1] for i in range(len(x))]
    return sum(10 ** (2 * i / (len(x) - 1)) * value**2 for i, value in enumerate(turned))


def trace(n, population, generations):
    cma = CMA(mean=np.full(n, 3.0), sigma=1.0, population_size=population, seed=n)
    steps = []
    for _ in range(generations):
        points = [cma.ask() for _ in range(population)]
        values = [objective(x) for x in points]
        cma.tell(list(zip(points, values)))
        steps.append({
            "points": [points[i].tolist() for i in np.argsort(values)],
            "mean": cma._mean.tolist(),
            "step": float(cma._sigma),
            "covariance": cma._C.tolist(),
        })
    return {"population": population, "generations": steps}


json.dump([trace(5, 12, 20), trace(3, 7, 20)], sys.stdout)
