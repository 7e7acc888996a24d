"""What a study has found."""

from __future__ import annotations

import base64
import html
import inspect
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Mapping, Optional, Union

from ._errors import EvolveError, of_arguments
from ._parameters import Parameter
from ._serve import command
from ._trials import Frame, frame


@dataclass(frozen=True)
class Best:
    """The incumbent of a study."""

    params: dict[str, Any]
    #: The mean difference of the objective from the baseline, and the ends of its 95 % confidence interval; None if unknown.
    difference: Optional[tuple[float, float, float]]
    #: The source of the difference: the search's ``model``, a ``validation`` on held-out trials, or the ``test``.
    evidence: Optional[str]
    #: The number of trials so far.
    trials: int
    #: The phase of the study: ``baseline``, ``search``, ``validation``, ``selection``, ``effects``, ``test`` or ``done``.
    phase: str
    #: The completed share of the study, from 0 to 1.
    share: float
    #: How parameters with ``by`` follow features, such as ``{"temp:n": 0.4}``.
    coefficients: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """The result of a study."""

    #: The recommended parameters: the finalist's, or the baseline's if no improvement was found.
    params: dict[str, Any]
    #: Whether the finalist is better on held-out instances: the whole confidence interval lies above zero.
    improvement: bool
    #: The mean difference of the objective from the baseline, and the ends of its 95 % confidence interval. After an
    #: interruption before the test: not a number, and an interval without ends.
    difference: tuple[float, float, float]
    #: The verdict in words.
    text: str
    #: The folder with tables, weights and plots.
    folder: Path
    #: Limits of the result, such as failed calls, or repeated calls with different scores.
    notes: tuple[str, ...] = ()
    #: How parameters with ``by`` follow features, such as ``{"temp:n": 0.4}``; :meth:`export` writes the functions.
    coefficients: dict[str, float] = field(default_factory=dict)
    _parameters: Mapping[str, Parameter] = field(default_factory=dict, repr=False, compare=False)

    def trials(self, kind: Optional[Frame] = None) -> Any:
        """Returns all trials as a data frame of ``"pandas"`` or ``"polars"``, or as a ``"list"`` of dictionaries.

        Without ``kind``, it is the first of these that is installed. Columns are those of ``trials.csv``, except empty ones;
        ``instance`` is the index in ``instances``. The others are ``candidate``, a number for each combination of values,
        ``seconds``, the run time, and ``started``, when the trial began, in UTC.
        """
        return frame(self.folder, self._parameters, kind)

    def report(self) -> Path:
        """Writes the report, one HTML page, and returns its path."""
        subprocess.run([command(), "report", str(self.folder)], check=True, capture_output=True)
        return self.folder / "report.html"

    def export(self, format: Literal["python", "json", "c", "rust"] = "python") -> str:
        """Returns the recommended parameters as text, and those that follow features as functions of them."""
        done = subprocess.run(
            [command(), "export", str(self.folder), "--format", format], capture_output=True, text=True, encoding="utf-8"
        )
        if done.returncode:
            raise EvolveError(of_arguments(done.stderr.strip()))
        return done.stdout

    def at(self, **features: Union[float, str]) -> dict[str, Any]:
        """Returns the parameters on an instance with these features, such as ``result.at(size=120)``."""
        if not self.coefficients:
            return dict(self.params)
        defined: dict[str, Any] = {}
        exec(self.export(), {}, defined)
        known = {re.sub(r"\W", "_", name).lower(): value for name, value in features.items()}

        def on_instance(value: Any) -> Any:
            return value(**{name: known[name] for name in inspect.signature(value).parameters if name in known})

        # The code has them in this order.
        followed = {name: on_instance(value) for name, value in zip(self._parameters, defined.values()) if callable(value)}
        return {name: followed.get(name, value) for name, value in self.params.items()}

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return page(self.folder, "recommended", {**self.params, **self.coefficients}, self.text, self.notes)


def page(folder: Path, heading: str, params: Mapping[str, Any], text: str, notes: tuple[str, ...] = ()) -> str:
    """What a notebook shows of a study: values, their gain, the curve and the landscape."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
        f"<td style='text-align:left'>{html.escape(_shown(value))}</td></tr>"
        for name, value in params.items()
    )
    listed = "".join(f"<li>{html.escape(note)}</li>" for note in notes)
    # The page of a complete study.
    report = folder / "report.html"
    place = report if report.is_file() else folder
    return (
        f"<div><table><thead><tr><th>parameter</th><th>{heading}</th></tr></thead><tbody>{rows}</tbody></table>"
        f"<pre>{html.escape(text)}</pre>{f'<ul>{listed}</ul>' if listed else ''}{_pictures(folder)}"
        f"<p><code>{html.escape(str(place))}</code></p></div>"
    )


def _pictures(folder: Path) -> str:
    """The curve, and the landscape of a study whose search has a model."""
    plots = folder / "plots"
    curve = "history.svg" if (plots / "history.svg").is_file() else "scores.svg"
    pictures = ""
    for name, meaning in ((curve, "gain by trial"), ("landscape.svg", "effect of each parameter")):
        if (plots / name).is_file():
            data = base64.b64encode((plots / name).read_bytes()).decode()
            pictures += f"<img alt='{meaning}' style='max-width:100%' src='data:image/svg+xml;base64,{data}'>"
    return pictures


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
