"""Parameters as declared in a job file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence, Union


@dataclass(frozen=True)
class Parameter:
    """A parameter with the keys of ``[parameters]`` in a job file."""

    keys: Mapping[str, Any] = field(default_factory=dict)


def _with(
    keys: dict[str, Any],
    start: Any,
    step: Optional[float],
    condition: Optional[str],
    log: bool = False,
    prior: Optional[tuple[float, float]] = None,
) -> Parameter:
    for name, value in (("start", start), ("step", step), ("condition", condition)):
        if value is not None:
            keys[name] = value
    if log:
        keys["log"] = True
    if prior is not None:
        mean, deviation = prior
        keys["prior"] = {"normal": [mean, deviation]}
    return Parameter(keys)


def Int(
    low: int,
    high: int,
    *,
    start: Optional[int] = None,
    log: bool = False,
    step: Optional[float] = None,
    condition: Optional[str] = None,
    prior: Optional[tuple[float, float]] = None,
) -> Parameter:
    """A whole number from ``low`` to ``high``.

    ``prior`` is the mean and standard deviation of the values that you expect to be good.
    """
    return _with({"int": [low, high]}, start, step, condition, log, prior)


def Float(
    low: float,
    high: float,
    *,
    start: Optional[float] = None,
    log: bool = False,
    step: Optional[float] = None,
    condition: Optional[str] = None,
    prior: Optional[tuple[float, float]] = None,
) -> Parameter:
    """A number from ``low`` to ``high``. Set ``log`` if its order of magnitude is unknown.

    ``prior`` is the mean and standard deviation of the values that you expect to be good, the latter in natural
    logarithms if ``log``.
    """
    start = None if start is None else float(start)
    return _with({"float": [float(low), float(high)]}, start, step, condition, log, prior)


def Choice(
    names: Sequence[Union[str, int, float]],
    *,
    start: Union[str, int, float, None] = None,
    condition: Optional[str] = None,
) -> Parameter:
    """One of several names or numbers, passed to the function as given here."""
    return _with({"choice": list(names)}, start, None, condition)


def Bool(*, start: Optional[bool] = None, condition: Optional[str] = None) -> Parameter:
    """True or false."""
    return _with({"bool": True}, start, None, condition)


def as_given(parameters: Mapping[str, Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with their choices as given to :func:`Choice`, instead of their names in the job."""

    def given(choice: Any, name: str) -> bool:
        if isinstance(choice, bool):
            return name == str(choice).lower()
        return choice == name if isinstance(choice, str) else float(choice) == _float(name)

    def value(parameter: str, name: Any) -> Any:
        choices = parameters[parameter].keys.get("choice", ()) if parameter in parameters else ()
        return next((choice for choice in choices if given(choice, name)), name)

    return {name: value(name, found) for name, found in values.items()}


def _float(text: str) -> Optional[float]:
    try:
        return float(text)
    except ValueError:
        return None
