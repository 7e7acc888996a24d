"""The table of trials."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path
from typing import Any, Callable, Literal, Mapping, Optional

from ._parameters import Parameter, given

Frame = Literal["pandas", "polars", "list"]


def frame(folder: Path, parameters: Mapping[str, Parameter], kind: Optional[Frame]) -> Any:
    """The trials of a study so far; see :meth:`evolve_tuner.Result.trials`."""
    columns = _columns(folder, parameters)
    if kind in (None, "pandas"):
        try:
            import pandas  # type: ignore[import-untyped,unused-ignore]

            return pandas.DataFrame(columns)
        except ImportError:
            if kind:
                raise
    if kind in (None, "polars"):
        try:
            import polars

            # Seeds need all 64 bits, and choices may be of several types.
            wide = {"seed": polars.UInt64} if "seed" in columns else {}
            return polars.DataFrame(columns, schema_overrides=wide, strict=False, infer_schema_length=None)
        except ImportError:
            if kind:
                raise
    if kind not in (None, "list"):
        raise ValueError(f'`kind` is "pandas", "polars" or "list", not {kind!r}')
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def _columns(folder: Path, parameters: Mapping[str, Parameter]) -> dict[str, list[Any]]:
    """The tables of trials and of their times by column, without columns that are empty."""
    names, rows = _read(folder / "trials.csv")
    times = {row["trial"]: row for row in _read(folder / "trial-times.csv")[1]}
    table: dict[str, list[Any]] = {}
    for name in names:
        read = _reader(name, parameters)
        table[name] = [read(row[name]) if row[name] else None for row in rows]
    values = [name for name in names if name.startswith("value.")]
    # In the order of their first trials.
    candidates: dict[tuple[str, ...], int] = {}
    numbers = [candidates.setdefault(tuple(row[name] for name in values), len(candidates)) for row in rows]
    others: dict[str, list[Any]] = {"candidate": numbers}
    readers: dict[str, Callable[[str], Any]] = {"seconds": float, "started": _moment}
    for name, read in readers.items():
        others[name] = [read(text) if (text := times.get(row["trial"], {}).get(name)) else None for row in rows]
    of_values = {name: table.pop(name) for name in values}
    table = {**table, **others, **of_values}
    return {name: column for name, column in table.items() if not rows or any(value is not None for value in column)}


def _read(table: Path) -> tuple[list[str], list[dict[str, str]]]:
    """The names of the columns and the rows; none before the first round of trials is complete."""
    try:
        with open(table, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            return list(reader.fieldnames or ()), list(reader)
    except FileNotFoundError:
        return [], []


def _reader(name: str, parameters: Mapping[str, Parameter]) -> Callable[[str], Any]:
    """How to read a column."""
    if name.startswith("value."):
        parameter = parameters.get(name[len("value.") :])
        if parameter is None:
            # A coefficient.
            return float
        keys = parameter.keys
        if "int" in keys:
            return int
        if "float" in keys:
            return float
        if "bool" in keys:
            return "true".__eq__
        return lambda text: given(parameter, _plain(text))
    whole, numbers = ("trial", "number", "instance", "replicate"), ("score", "objective")
    if name in whole:
        return int
    if name == "seed":
        return lambda text: int(text.lstrip("s"))
    if name == "capped":
        return "true".__eq__
    return float if name in numbers else _plain


def _moment(text: str) -> datetime:
    """A time in UTC; Python before 3.11 does not read its ``Z``."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _plain(text: str) -> str:
    """A text without the apostrophe that keeps spreadsheets from reading it as a formula."""
    return text[1:] if text.startswith("'") else text
