"""Parameters as declared in a job file."""

from __future__ import annotations

import numbers
from dataclasses import dataclass, field
from typing import Any, Final, Mapping, Optional, Sequence, Union

#: Job files, tables and the search keep whole numbers exactly up to this magnitude.
LARGEST_INT: Final = 2**53


@dataclass(frozen=True)
class Parameter:
    """A parameter with the keys of ``[parameters]`` in a job file."""

    keys: Mapping[str, Any] = field(default_factory=dict)
    #: The choices as given, in the order of those in ``keys``.
    choices: tuple[Any, ...] = ()


def _with(
    keys: dict[str, Any],
    start: Any,
    condition: Optional[str],
    *,
    log: bool = False,
    step: Optional[float] = None,
    unit: Optional[float] = None,
    prior: Optional[tuple[float, float]] = None,
    by: Union[Sequence[str], Mapping[str, Sequence[Any]]] = (),
) -> Parameter:
    for name, value in (("start", start), ("step", step), ("unit", unit), ("condition", condition)):
        if value is not None:
            keys[name] = value
    if log:
        keys["log"] = True
    if prior is not None:
        keys["prior"] = {"normal": list(prior)}
    if by:
        keys["by"] = {name: list(spread) for name, spread in by.items()} if isinstance(by, Mapping) else texts("by", by)
    return Parameter(keys)


def Int(
    low: int,
    high: int,
    *,
    start: Optional[int] = None,
    log: bool = False,
    step: Optional[int] = None,
    unit: Optional[float] = None,
    condition: Optional[str] = None,
    prior: Optional[tuple[float, float]] = None,
    by: Union[Sequence[str], Mapping[str, Sequence[Any]]] = (),
) -> Parameter:
    """A whole number from ``low`` to ``high``, within plus or minus 2^53.

    With ``step``, its values are ``low + k * step``, up to the last one that is not above ``high``. ``unit`` is the
    size of a noticeable change, in which the search measures distances.

    ``prior`` is the mean and standard deviation of the values that you expect to be good.

    ``by`` names the ``features`` of instances that the number may follow: the search finds a small function of them, if the
    trials show that it is better than a constant. A trial has the value for its instance.
    """
    return _with({"int": [low, high]}, start, condition, log=log, step=step, unit=unit, prior=prior, by=by)


def Float(
    low: float,
    high: float,
    *,
    start: Optional[float] = None,
    log: bool = False,
    step: Optional[float] = None,
    unit: Optional[float] = None,
    condition: Optional[str] = None,
    prior: Optional[tuple[float, float]] = None,
    by: Union[Sequence[str], Mapping[str, Sequence[Any]]] = (),
) -> Parameter:
    """A number from ``low`` to ``high``. Set ``log`` if its order of magnitude is unknown.

    With ``step``, its values are ``low + k * step``, up to the last one that is not above ``high``. ``unit`` is the
    size of a noticeable change, in which the search measures distances; in natural logarithms if ``log``.

    ``prior`` is the mean and standard deviation of the values that you expect to be good, the latter in natural
    logarithms if ``log``.

    ``by`` names the ``features`` of instances that the number may follow: the search finds a small function of them, if the
    trials show that it is better than a constant. A trial has the value for its instance.
    """
    start = None if start is None else float(start)
    return _with({"float": [float(low), float(high)]}, start, condition, log=log, step=step, unit=unit, prior=prior, by=by)


class _First:
    """The start of a choice that names none: None may be one of its values."""


def Choice(
    choices: Sequence[Union[str, int, float, None]],
    *,
    start: Any = _First,
    condition: Optional[str] = None,
) -> Parameter:
    """One of several names or numbers, passed to the function as given here.

    In conditions, tables and reports, None is ``None``, and whole numbers beyond 2^53 are names.
    """
    given = tuple(choices)
    keys: dict[str, Any] = {"choice": [_sent(choice) for choice in given]}
    return Parameter(_with(keys, None if start is _First else _sent(start), condition).keys, given)


def Bool(*, start: Optional[bool] = None, condition: Optional[str] = None) -> Parameter:
    """True or false."""
    return _with({"bool": True}, start, condition)


def _sent(choice: Any) -> Any:
    """A choice as it is in the job, which has names and numbers, but no whole numbers that a float cannot hold."""
    if choice is None:
        return "None"
    if isinstance(choice, numbers.Integral) and not isinstance(choice, bool) and abs(int(choice)) > LARGEST_INT:
        return str(choice)
    return choice


def texts(argument: str, given: Sequence[str]) -> list[str]:
    """The texts of a list; a :class:`TypeError` for a single one, whose letters would be taken for a list."""
    if isinstance(given, str):
        raise TypeError(f"`{argument}` takes a list, such as [{given!r}], not a text")
    return list(given)


def checked(parameters: Mapping[str, Parameter]) -> dict[str, Parameter]:
    """The parameters; a :class:`TypeError` if one of them is not declared."""
    if not isinstance(parameters, Mapping):
        raise TypeError(f"`parameters` takes a dictionary, such as {{'k': Int(1, 20)}}, not {type(parameters).__name__}")
    for name, parameter in parameters.items():
        if not isinstance(parameter, Parameter):
            declared = "Int(1, 20), Float(0, 1), Choice(['a', 'b']) or Bool()"
            raise TypeError(f"parameter `{name}` is {parameter!r}; declare it with a function such as {declared}")
    return dict(parameters)


def as_given(parameters: Mapping[str, Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of declared parameters, with choices as given to :func:`Choice` instead of their names in the job."""
    return {name: given(parameters[name], value) for name, value in values.items() if name in parameters}


def coefficients(parameters: Mapping[str, Parameter], values: Mapping[str, Any]) -> dict[str, float]:
    """The coefficients among the values, which parameters with ``by`` have besides those that are declared."""
    return {name: value for name, value in values.items() if name not in parameters}


def sent(parameters: Mapping[str, Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """Values of a candidate as they are in the job."""

    def of(name: str, value: Any) -> Any:
        keys = parameters[name].keys if name in parameters else {}
        return _sent(value) if "choice" in keys else value

    return {name: of(name, value) for name, value in values.items()}


def given(parameter: Optional[Parameter], name: Any) -> Any:
    """A value of a parameter as given to :func:`Choice`, instead of its name in the job."""
    if parameter is None or not parameter.choices:
        return name

    def is_it(sent: Any) -> bool:
        if isinstance(sent, str):
            return bool(sent == name)
        if _is_bool(sent):
            return bool(name == str(sent).lower())
        return (int(sent) if isinstance(sent, numbers.Integral) else float(sent)) == _number(name)

    return next((choice for choice in parameter.choices if is_it(_sent(choice))), name)


def _is_bool(choice: Any) -> bool:
    # Those of numpy are no `bool`.
    return isinstance(choice, bool) or type(choice).__name__ in ("bool", "bool_")


def _number(text: str) -> Union[int, float, None]:
    """A number, exactly: a float would confuse large whole numbers with each other."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    return None
