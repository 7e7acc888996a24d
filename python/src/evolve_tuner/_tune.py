"""Tunes a function."""

from __future__ import annotations

import inspect
import math
import multiprocessing
import os
import pickle
import signal
import threading
import time as clock
import traceback
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Protocol, Sequence, TypedDict, Union, cast

from ._errors import EvolveError
from ._parameters import Parameter, checked
from ._progress import Progress
from ._result import Result
from ._study import MOST_PARALLEL, Goal, Outcome, Study, Trial, check_whole, number, numbers_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Returns the score or, with ``constraints``, the score and the values of their metrics.
Function = Callable[..., Union[float, tuple[float, Mapping[str, float]]]]
#: What the function receives besides its parameters.
_OTHERS = ("instance", "seed", "random")
#: Receives the study, a trial and its score, or None if the trial failed.
Callback = Callable[[Study, Trial, Optional[float]], None]


class Options(TypedDict, total=False):
    """The arguments of :class:`Study` that :func:`tune` passes on."""

    budget: Optional[int]
    time: Optional[str]
    goal: Goal
    scale: str
    deterministic: bool
    seed: int
    name: Optional[str]
    results: Union[str, Path]
    resume: bool
    forbid: Sequence[str]
    constraints: Optional[Mapping[str, str]]
    features: Optional[Mapping[str, Sequence[Union[float, str]]]]
    first: Sequence[Mapping[str, Any]]
    search: Optional[Mapping[str, Any]]
    program: Optional[Mapping[str, Any]]


class TuneOptions(Options, total=False):
    """The arguments of :func:`tune` after the function and its parameters."""

    instances: Optional[Sequence[Any]]
    processes: int
    progress: Optional[bool]
    callbacks: Sequence[Callback]
    on_failure: Union[str, float]


class Tunable(Protocol):
    """A function that :func:`tunable` has declared the parameters of."""

    def __call__(self, *arguments: Any, **named: Any) -> Any: ...

    def tune(self, **options: Unpack[TuneOptions]) -> Result:
        """Tunes the function, as :func:`evolve_tuner.tune` does."""
        ...


def tune(
    function: Function,
    parameters: Mapping[str, Parameter],
    *,
    instances: Optional[Sequence[Any]] = None,
    processes: int = 1,
    progress: Optional[bool] = None,
    callbacks: Sequence[Callback] = (),
    on_failure: Union[str, float] = "stop",
    **options: Unpack[Options],
) -> Result:
    """Searches for parameters with a better mean score of ``function``, then tests them.

    ``function`` receives the parameters by name, and returns the score. If it has arguments with these names, it also
    receives ``instance`` (one element of ``instances``), ``seed`` (a new one in every trial, without ``instances``) and
    ``random`` (a seed for its own random numbers). With ``constraints={"memory": "<= 256"}``, it returns the score and these
    metrics: ``return 12.5, {"memory": 181}``. An exception, or a score that is not a finite number, ends the study,
    unless ``on_failure`` is a score for failed calls. A parameter whose ``condition`` is false is not passed; an argument
    without a default is then None.

    The results do not depend on ``processes``. Ctrl-C saves the study if it has a ``name``; ``resume=True`` continues it.
    Without a name, Ctrl-C returns the recommendation so far, untested.

    ``progress`` shows a bar, or a line if tqdm is not installed; by default, in a terminal and in a notebook. Each of
    ``callbacks`` is called as ``callback(study, trial, score)`` after a score counts (None for a failed call), in this
    process; ``study.stop()`` ends the study then, and the result is the recommendation so far, untested.

    Further options are those of :class:`Study`: ``budget`` or ``time``, ``goal``, ``scale``, ``deterministic``, ``seed``,
    ``forbid``, ``constraints``, ``features``, ``first``, ``name``, ``results``, ``resume``, ``search``, ``program``.
    """
    taken = _arguments(function, checked(parameters))
    _check_arguments(_name(function), taken, parameters, instances is not None)
    check_whole("processes", "the number of processes", processes)
    if processes > 1:
        _check_sending(function, instances)
    study = Study(
        parameters,
        instances=instances,
        seeds=bool({"seed", "random"} & taken.keys()),
        parallel=min(_AT_ONCE * processes, MOST_PARALLEL),
        on_failure=on_failure,
        function=_name(function),
        **options,
    )
    bar = Progress(progress)

    call = _Call(function, taken, tuple(options.get("constraints") or ()), on_failure == "stop")

    def told(played: Sequence[_Played]) -> None:
        for trial, outcome in played:
            for callback in callbacks:
                callback(study, trial, outcome.score)
        bar.show(study)

    with study:
        try:
            if processes <= 1:
                _alone(study, call, told)
            else:
                _together(study, call, processes, told)
        except KeyboardInterrupt:
            if options.get("name") is not None:
                raise
            return study._untested("interrupted")
        finally:
            bar.close()
    assert study.result is not None
    return study.result


def tunable(**parameters: Parameter) -> Callable[[Function], Tunable]:
    """Declares a function's parameters: ``function.tune(budget=300, ...)`` then tunes it."""

    def decorate(function: Function) -> Tunable:
        def tune_it(**options: Unpack[TuneOptions]) -> Result:
            return tune(function, parameters, **options)

        tunable = cast(Tunable, function)
        tunable.tune = tune_it  # type: ignore[method-assign]
        return tunable

    return decorate


def _name(function: Function) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    return "".join(letter if letter.isalnum() or letter in "_-" else "-" for letter in name).strip("-") or "function"


def _arguments(function: Function, parameters: Mapping[str, Parameter]) -> dict[str, bool]:
    """The names of the arguments that the function takes, and whether it needs them."""
    declared = inspect.signature(function).parameters.values()
    named = [one for one in declared if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    takes_any = any(one.kind == one.VAR_KEYWORD for one in declared)
    others = dict.fromkeys((*parameters, *_OTHERS), False) if takes_any else {}
    return {**others, **{one.name: one.default is one.empty for one in named}}


def _check_arguments(
    name: str, taken: Mapping[str, bool], parameters: Mapping[str, Parameter], has_instances: bool
) -> None:
    """Raises a :class:`TypeError` if a function with this name cannot be called with the parameters and instances."""
    unknown = next((one for one in parameters if one not in taken), None)
    if unknown is not None:
        raise TypeError(f"`{name}` has no argument `{unknown}`, which is a parameter")
    if has_instances and "instance" not in taken:
        raise TypeError(f"`{name}` has no argument `instance`, but `instances` are given")
    needed = [one for one, is_needed in taken.items() if is_needed and one not in parameters]
    if "instance" in needed and not has_instances:
        raise TypeError(f"`{name}` needs `instance`, but no `instances` are given")
    if "seed" in needed and has_instances:
        raise TypeError(f"`{name}` needs `seed`, but with `instances` there is none: take `random` instead")
    for one in needed:
        if one not in _OTHERS:
            raise TypeError(f"`{name}` needs `{one}`, which is no parameter: declare it, or give it a default")


def _keywords(trial: Trial, taken: Mapping[str, bool]) -> dict[str, Any]:
    others = dict(zip(_OTHERS, (trial.instance, trial.seed, trial.random)))
    given = {**trial.params, **{name: value for name, value in others.items() if name in taken and value is not None}}
    # A parameter whose condition is false has no value.
    inactive = [name for name, is_needed in taken.items() if is_needed and name not in given and name not in others]
    return {**given, **dict.fromkeys(inactive)}


@dataclass(frozen=True)
class _Call:
    """Calls the function."""

    function: Function
    taken: Mapping[str, bool]
    #: The metrics that ``constraints`` limits, which the function returns, too.
    limited: tuple[str, ...]
    #: Whether an exception ends the study.
    stops: bool

    def __call__(self, trial: Trial) -> Outcome:
        keywords, begin = _keywords(trial, self.taken), clock.perf_counter()
        score, metrics, failure = None, None, None
        try:
            returned = self.function(**keywords)
            score, metrics = self._parts(returned) if self.limited else (returned, {})
            score, metrics = number(score, keywords), numbers_of(metrics, keywords)
        except Exception as error:
            if self.stops:
                raise
            score, failure = None, f"{type(error).__name__}: {error}"
        return Outcome(score, metrics, failure, clock.perf_counter() - begin)

    def _parts(self, returned: Any) -> tuple[Any, Mapping[str, Any]]:
        is_pair = isinstance(returned, tuple) and len(returned) == 2 and isinstance(returned[1], Mapping)
        if is_pair and all(name in returned[1] for name in self.limited):
            return returned[0], returned[1]
        form = ", ".join(f'"{name}": 181' for name in self.limited)
        raise TypeError(
            f"with `constraints`, `{_name(self.function)}` returns its score and its metrics, as in "
            f"`return 12.5, {{{form}}}`, not {returned!r}"
        )


def _call_there(call: _Call, trials: Sequence[Trial]) -> list[Outcome]:
    """Calls the function in another process, which can return only exceptions that survive the way back."""
    try:
        return [call(trial) for trial in trials]
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
            raise EvolveError(f"`{_name(call.function)}` raised {type(error).__name__}: {error}\n{text}") from None
        raise


def _start_process() -> None:
    """Prepares a process for calls: it leaves Ctrl-C to its parent, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(process: Any) -> None:
    process.join()
    os._exit(1)


def _check_sending(function: Function, instances: Optional[Sequence[Any]]) -> None:
    """Raises a :class:`TypeError` that says why other processes cannot get the function or its instances."""
    for thing, name, cure in (
        (function, f"`{_name(function)}`", "define it with `def` at the top level of a module"),
        (next(iter(instances or ()), None), "the first instance", "give its name or number instead"),
    ):
        try:
            pickle.dumps(thing)
        except Exception as error:
            raise TypeError(f"{name} cannot be sent to other processes ({error}): {cure}, or set processes=1") from None


#: Calls that take less than this many seconds are requested, sent to a process and reported in groups, so that messages
#: cost little.
_QUICK = 0.02
_AT_ONCE = 8
#: The seconds of calls that are worth a message to another process.
_MESSAGE = 0.002
_Played = tuple[Trial, Outcome]
#: Receives trials whose scores count.
_Told = Callable[[Sequence[_Played]], None]


def _are_quick(played: Sequence[_Played]) -> bool:
    return sum(outcome.seconds or 0.0 for _, outcome in played) < _QUICK * len(played)


def _alone(study: Study, call: _Call, told: _Told) -> None:
    trials = study.ask(1)
    while not study.done:
        played = [(trial, call(trial)) for trial in trials]
        trials = study._tell_and_ask(played, _AT_ONCE if _are_quick(played) else 1)
        told(played)


def _together(study: Study, call: _Call, processes: int, told: _Told) -> None:
    running: dict[Future[list[Outcome]], Sequence[Trial]] = {}
    with ProcessPoolExecutor(processes, initializer=_start_process) as pool:
        try:
            trials, at_once, seconds = study.ask(processes), 1, math.inf
            while not study.done:
                for group in _shared(trials, processes - len(running), seconds):
                    running[pool.submit(_call_there, call, group)] = group
                played: list[_Played] = []
                for future in wait(running, timeout=1.0, return_when=FIRST_COMPLETED).done if running else ():
                    played += zip(running.pop(future), future.result())
                if played:
                    at_once = _AT_ONCE if _are_quick(played) else 1
                    seconds = max(outcome.seconds or 0.0 for _, outcome in played)
                free = processes - len(running)
                trials = study._tell_and_ask(played, at_once * free) if free else []
                told(played)
            if running:
                _kill(pool)
        except BaseException as error:
            _kill(pool)
            if isinstance(error, BrokenProcessPool):
                raise EvolveError(
                    f"a process that calls `{_name(call.function)}` has ended. Is the study started below "
                    "`if __name__ == '__main__':`, and is there enough memory for all processes?"
                ) from None
            raise


def _shared(trials: Sequence[Trial], processes: int, seconds: float) -> list[Sequence[Trial]]:
    """The trials in a group for each process, or for so many that each group is worth its message."""
    worth = 1 + min(len(trials) * seconds / _MESSAGE, processes) if trials else 0
    count = min(processes, len(trials), int(worth))
    return [trials[first::count] for first in range(count)]


def _kill(pool: ProcessPoolExecutor) -> None:
    """Ends calls in progress, which may take long: nothing waits for their scores."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)
