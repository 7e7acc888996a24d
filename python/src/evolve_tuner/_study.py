"""Ask and tell: the caller plays the trials in its own loop."""

from __future__ import annotations

import asyncio
import contextlib
import math
import numbers
import subprocess
import sys
import tempfile
import warnings
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Mapping, Optional, Sequence, Union

from ._errors import EvolveError, of_arguments
from ._parameters import Parameter, as_given, checked, coefficients, sent, texts
from ._result import Best, Result, page
from ._serve import Serve, command
from ._trials import Frame, frame


Goal = Literal["maximize", "minimize"]

#: The protocol knows no more.
MOST_PARALLEL = 2**16 - 1


@dataclass(frozen=True)
class Trial:
    """A trial to play."""

    id: int
    #: A value for every parameter.
    params: dict[str, Any]
    #: The instance; None if the study has none.
    instance: Any
    #: The seed of the instance; None if instances are listed.
    seed: Optional[int]
    #: A seed for the function's own random numbers, different in every replicate of an instance.
    random: int


class Study:
    """A study whose trials are played by the caller.

    Threads may share a study: each of them asks for trials and tells their scores.

    The arguments are keys of a job file. ``budget`` is the maximum number of trials, including the held-out test.
    ``time``, such as ``"2h"``, is the maximum time, including the test. ``forbid`` lists forbidden combinations, such as
    ``"move == 'swap' && k > 10"``. ``constraints`` limits metrics, such as ``{"memory": "<= 256"}``; report their values to
    ``tell`` as ``metrics``. ``features`` describes the instances before they are played, such as
    ``{"size": [len(graph) for graph in graphs]}``: the search expects similar effects on similar instances. ``first`` lists
    candidates that the search plays first, such as ``{"k": 3}``; other parameters have their start. ``search`` and ``program`` are further keys of these sections.
    """

    def __init__(
        self,
        parameters: Mapping[str, Parameter],
        *,
        budget: Optional[int] = None,
        time: Optional[str] = None,
        instances: Optional[Sequence[Any]] = None,
        seeds: bool = True,
        goal: Goal = "maximize",
        scale: str = "raw",
        deterministic: bool = True,
        on_failure: Union[str, float] = "stop",
        seed: int = 1,
        parallel: int = 1,
        name: Optional[str] = None,
        results: Union[str, Path] = "results",
        resume: bool = False,
        function: str = "function",
        forbid: Sequence[str] = (),
        constraints: Optional[Mapping[str, str]] = None,
        features: Optional[Mapping[str, Sequence[Union[float, str]]]] = None,
        first: Sequence[Mapping[str, Any]] = (),
        search: Optional[Mapping[str, Any]] = None,
        program: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self._instances = None if instances is None else _objects(instances)
        self._parameters = checked(parameters)
        check_whole("parallel", "the number of trials without a score", parallel, MOST_PARALLEL)
        self._is_kept = name is not None
        #: The result; None until all trials are played, or the study is stopped.
        self.result: Optional[Result] = None
        self._best: Optional[Best] = None
        self._is_complete = False
        self._waiting: deque[Trial] = deque()
        if name is None:
            name, results = "study", tempfile.mkdtemp(prefix="evolve-")
        keys: dict[str, Any] = {"goal": goal, "scale": scale, "deterministic": deterministic, "on_failure": on_failure}
        keys["command"] = [function, "{args}"]
        if self._instances is not None:
            keys["seeds"] = f"0-{len(self._instances) - 1}" if self._instances else ""
            # Too few instances to hold any out: search and test use all of them, and the verdict covers only these.
            keys["split"] = len(self._instances) >= 16
        if self._instances is not None or seeds:
            keys["command"].append("{seed}")
        if forbid:
            keys["forbid"] = texts("forbid", forbid)
        if constraints:
            keys["metrics"] = list(constraints)
        if features:
            keys["features"] = _listed(features, self._instances)
        own = [key for key in ("command", "files", "seeds") if key in (program or {})]
        if own and self._instances is not None:
            raise ValueError(f"`program` cannot set `{own[0]}`, because `instances` lists the instances")
        keys.update(program or {})
        limits: dict[str, Any] = {key: value for key, value in (("budget", budget), ("time", time)) if value is not None}
        if first:
            limits["first"] = [sent(self._parameters, values) for values in first]
        limits.update(search or {})
        job = {
            "name": name,
            "seed": seed,
            "program": keys,
            "parameters": {name: dict(parameter.keys) for name, parameter in self._parameters.items()},
            "search": limits,
            **({"constraints": dict(constraints)} if constraints else {}),
        }
        _check_finite(job)
        self._serve = Serve()
        try:
            request = {"job": job, "parallel": parallel, "results": str(results), "resume": resume}
            opened = self._serve.request({"open": request})["opened"]
        except BaseException:
            self._serve.close()
            raise
        self.folder = Path(opened["folder"])

    @property
    def done(self) -> bool:
        """Whether all trials are played or the study is stopped, so that ``result`` is set."""
        return self.result is not None

    def ask(self, count: int = 1) -> list[Trial]:
        """Returns up to ``count`` trials.

        The list is empty if the study is done, or if the search must first have the scores of earlier trials.
        """
        return self._taken(count) or self._asked(self._serve.request({"ask": count}))

    async def ask_async(self, count: int = 1) -> list[Trial]:
        """Does the same as :meth:`ask` for a coroutine: others run while it waits."""
        if not self._waiting:
            # A coroutine that is cancelled meanwhile leaves its trials to the next one.
            await asyncio.to_thread(lambda: self._waiting.extend(self._asked(self._serve.request({"ask": count}))))
        return self._taken(count)

    def _taken(self, count: int) -> list[Trial]:
        """Up to ``count`` trials that were requested before and wait for a caller."""
        taken: list[Trial] = []
        with contextlib.suppress(IndexError):
            while len(taken) < count:
                taken.append(self._waiting.popleft())
        return taken

    def _asked(self, answer: Mapping[str, Any]) -> list[Trial]:
        if "result" in answer:
            result = answer["result"]
            self._is_complete = True
            self.result = Result(
                params=as_given(self._parameters, result["params"]),
                improvement=result["improvement"],
                difference=tuple(result["difference"]),
                text=result["text"],
                folder=Path(result["folder"]),
                notes=tuple(result.get("notes", ())),
                coefficients=coefficients(self._parameters, result["params"]),
                _parameters=self._parameters,
            )
            for note in self.result.notes:
                warnings.warn(note, stacklevel=_depth())
        return [self._trial(trial) for trial in answer["trials"]]

    def _trial(self, trial: Mapping[str, Any]) -> Trial:
        seed = trial.get("seed")
        listed = self._instances
        instance = None if listed is None or seed is None else listed[seed]
        params = as_given(self._parameters, trial["params"])
        return Trial(trial["id"], params, instance, seed if listed is None else None, trial["random"])

    def tell(
        self,
        trial: Trial,
        score: Optional[float] = None,
        *,
        metrics: Optional[Mapping[str, float]] = None,
        failure: Optional[str] = None,
    ) -> None:
        """Reports the score of a trial and the values of the job's metrics, or the reason why the trial failed."""
        self._serve.request({"tell": [_told(trial, Outcome(score, metrics, failure))]})

    def _tell_and_ask(self, played: Sequence[tuple[Trial, Outcome]], count: int) -> list[Trial]:
        """Reports trials and requests up to ``count`` others in a single message, for very fast functions."""
        requests: list[dict[str, Any]] = [{"tell": [_told(trial, outcome) for trial, outcome in played]}] if played else []
        return self._asked(self._serve.request(*requests, {"ask": count}))

    @property
    def best(self) -> Best:
        """The incumbent, at any time: before the first trial it is the baseline; after the last one, as in ``result``."""
        try:
            at = self._serve.request("recommend")["recommended"]
        except EvolveError:
            # The study is closed.
            if self._best is None:
                raise
            return self._best
        params, difference = as_given(self._parameters, at["params"]), at["difference"]
        interval = None if difference is None else (difference[0], difference[1], difference[2])
        own = coefficients(self._parameters, at["params"])
        self._best = Best(params, interval, at["evidence"], at["trials"] or 0, at["phase"], at["share"], own)
        if self._is_complete and self.result is not None:
            tested = self.result
            self._best = Best(
                tested.params, tested.difference, "test", self._best.trials, "done", 1.0, tested.coefficients
            )
        return self._best

    def trials(self, kind: Optional[Frame] = None) -> Any:
        """Returns the trials so far, as :meth:`Result.trials` does: those of complete rounds of the search."""
        return frame(self.folder, self._parameters, kind)

    def _repr_html_(self) -> str:
        """What a notebook shows: the result or, before the end, the incumbent and what is known so far."""
        if self.result is not None:
            return self.result._repr_html_()
        best = self.best
        # Nothing can be drawn before the first generation.
        subprocess.run([command(), "plot", str(self.folder)], check=False, capture_output=True)
        gain = "no gain is known yet"
        if best.difference is not None:
            mean, low, high = best.difference
            gain = f"gain {mean:+.4g} (95 % confidence interval {low:+.4g} to {high:+.4g}), by the {best.evidence}"
        return page(self.folder, "incumbent", {**best.params, **best.coefficients}, f"{100 * best.share:.0f} %, {best.trials} trials: {gain}")

    def stop(self) -> None:
        """Ends the study now, without the test: ``result`` is the recommendation so far.

        A study with a ``name`` is saved, and ``resume=True`` continues it.
        """
        if not self.done:
            self.result = self._untested("stopped")

    def _untested(self, how: str) -> Result:
        """The recommendation of a study that ended before its test."""
        at = self.best
        return Result(
            params=at.params,
            improvement=False,
            difference=(math.nan, -math.inf, math.inf),
            text=f"not tested: {how} after {at.trials} {'trial' if at.trials == 1 else 'trials'}; "
            "the parameters are the recommendation so far",
            folder=self.folder,
            coefficients=at.coefficients,
            _parameters=self._parameters,
        )

    def close(self) -> None:
        """Saves the study. If it is resumed, ``ask`` returns the trials without a score again."""
        with contextlib.suppress(EvolveError):
            # It stays known.
            _ = self.best
        self._serve.close()

    def __enter__(self) -> Study:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if kind is KeyboardInterrupt and not self.done:
            with contextlib.suppress(EvolveError):
                self.result = self._untested("interrupted")
        self.close()
        if kind is KeyboardInterrupt:
            kept = f"the study is saved in {self.folder}; resume=True continues it"
            lost = "interrupted: `result` of the study is the recommendation so far; give it a `name` to continue it later"
            print(kept if self._is_kept else lost, file=sys.stderr)


def check_whole(argument: str, meaning: str, given: Any, most: float = math.inf) -> None:
    """Raises a :class:`ValueError` if an argument is not a whole number, at least 1."""
    if not (isinstance(given, numbers.Integral) and 1 <= int(given) <= most):
        limit = f" and at most {most}" if most < math.inf else ""
        raise ValueError(f"`{argument}` is {meaning}, at least 1{limit}, not {given!r}")


def _objects(instances: Sequence[Any]) -> list[Any]:
    try:
        return list(instances)
    except TypeError:
        raise TypeError(f"`instances` takes a list of objects, not {instances!r}") from None


def _depth() -> int:
    """The number of calls from outside of this package to the function that calls this one."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, depth = frame.f_back, depth + 1
    return depth


def _listed(
    features: Mapping[str, Sequence[Union[float, str]]], instances: Optional[Sequence[Any]]
) -> dict[str, list[Union[float, str]]]:
    """The features of the instances for a job, without types of numpy, which JSON does not know."""
    if instances is None:
        raise ValueError("`features` describes listed instances: give `instances`, too")
    return {name: [_feature(name, value) for value in values] for name, values in features.items()}


def _feature(name: str, value: Any) -> Union[float, str]:
    try:
        return value if isinstance(value, str) else float(value)
    except (TypeError, ValueError):
        raise ValueError(f"`features` of `{name}` takes finite numbers or words, not {value!r}") from None


def _check_finite(job: Mapping[str, Any], path: str = "") -> None:
    """Raises a :class:`ValueError` that names the argument with a number that is not finite."""
    for key, value in job.items():
        place = f"{path}{key}"
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if isinstance(one, Mapping):
                _check_finite(one, f"{place}.")
            elif isinstance(one, numbers.Real) and not isinstance(one, numbers.Integral) and not math.isfinite(one):
                raise ValueError(of_arguments(f"`{place}` takes finite numbers, not {one}"))


def number(given: Any, arguments: Mapping[str, Any], name: str = "score") -> float:
    """The score or a metric as a number.

    Raises :class:`ValueError` with the arguments that led to it if it is not finite, or no number at all.
    """
    try:
        value = float(given)
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        named = ", ".join(f"{key}={argument!r}" for key, argument in arguments.items())
        raise ValueError(f"the {name} of {named} is {given!r}, not a finite number")
    return value


def numbers_of(metrics: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, float]:
    """The metrics as numbers, as :func:`number` reads each."""
    return {name: number(value, arguments, f"metric `{name}`") for name, value in metrics.items()}


@dataclass(frozen=True)
class Outcome:
    """What a trial gave."""

    score: Optional[float]
    metrics: Optional[Mapping[str, float]] = None
    failure: Optional[str] = None
    #: The run time; None if it is the time from ``ask`` to ``tell``.
    seconds: Optional[float] = None


def _told(trial: Trial, outcome: Outcome) -> dict[str, Any]:
    told: dict[str, Any] = {"id": trial.id}
    if outcome.seconds is not None:
        told["seconds"] = outcome.seconds
    if outcome.failure is not None:
        return {**told, "failure": outcome.failure}
    if outcome.metrics:
        told["metrics"] = numbers_of(outcome.metrics, trial.params)
    return {**told, "score": number(outcome.score, trial.params)}
