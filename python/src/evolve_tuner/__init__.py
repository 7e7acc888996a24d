"""Tune the parameters of a function with a noisy score, and test the result on held-out instances.

The module runs the command ``evolve``, which is part of this package; see ``docs/python.md`` of the project.
"""

from importlib.metadata import PackageNotFoundError, version

from ._errors import EvolveError
from ._parameters import Bool, Choice, Float, Int, Parameter
from ._result import Best, Result
from ._study import Study, Trial
from ._tune import Tunable, tunable, tune

try:
    __version__ = version("evolve-tuner")
except PackageNotFoundError:
    # The source, without an installed package.
    __version__ = "0"

__all__ = [
    "Best",
    "Bool",
    "Choice",
    "EvolveError",
    "Float",
    "Int",
    "Parameter",
    "Result",
    "Study",
    "Trial",
    "Tunable",
    "__version__",
    "tunable",
    "tune",
]
