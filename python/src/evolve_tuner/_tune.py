"""Tunes a function."""

from __future__ import annotations

import inspect
import multiprocessing
import os
import pickle
import signal
import threading
import time as clock
import traceback
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Protocol, Sequence, TypedDict, Union, cast

from ._errors import EvolveError
from ._parameters import Parameter
from ._progress import Progress
from ._result import Result
from ._study import Goal, Study, Trial, number

if TYPE_CHECKING:
    from typing_extensions import Unpack

Function = Callable[..., float]
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

    def __call__(self, *arguments: Any, **named: Any) -> float: ...

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
    ``random`` (a seed for its own random numbers). An exception, or a score that is not a finite number, ends the study,
    unless ``on_failure`` is a score for failed calls. A parameter whose ``condition`` is false is not passed; an argument
    without a default is then None.

    The results do not depend on ``processes``. Ctrl-C saves the study if it has a ``name``; ``resume=True`` continues it.
    Without a name, Ctrl-C returns the recommendation so far, untested.

    ``progress`` shows a bar, or a line if tqdm is not installed; by default, in a terminal and in a notebook. Each of
    ``callbacks`` is called as ``callback(study, trial, score)`` after a score counts (None for a failed call), in this
    process; ``study.stop()`` ends the study then, and the result is the recommendation so far, untested.

    Further options are those of :class:`Study`: ``budget`` or ``time``, ``goal``, ``scale``, ``deterministic``, ``seed``,
    ``forbid``, ``features``, ``first``, ``name``, ``results``, ``resume``, ``search``, ``program``.
    """
    taken = _arguments(function)
    if instances is not None and "instance" not in taken:
        raise TypeError(f"`{_name(function)}` has no argument `instance`, but `instances` are given")
    if processes < 1:
        raise ValueError(f"`processes` is the number of processes, at least 1, not {processes}")
    if processes > 1:
        _check_sending(function, instances)
    study = Study(
        parameters,
        instances=instances,
        seeds=bool({"seed", "random"} & taken.keys()),
        parallel=_AT_ONCE if processes == 1 else processes,
        on_failure=on_failure,
        function=_name(function),
        **options,
    )
    bar = Progress(progress)

    def told(played: Sequence[tuple[Trial, Optional[float]]]) -> None:
        for trial, score in played:
            for callback in callbacks:
                callback(study, trial, score)
        bar.show(study)

    with study:
        try:
            if processes <= 1:
                _alone(study, function, taken, on_failure == "stop", told)
            else:
                _together(study, function, taken, on_failure == "stop", processes, told)
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


def _arguments(function: Function) -> dict[str, bool]:
    """The names of the arguments that the function takes, and whether it needs them."""
    parameters = inspect.signature(function).parameters.values()
    named = [one for one in parameters if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    takes_any = any(one.kind == one.VAR_KEYWORD for one in parameters)
    others = {"instance": False, "seed": False, "random": False} if takes_any else {}
    return {**others, **{one.name: one.default is one.empty for one in named}}


def _keywords(trial: Trial, taken: Mapping[str, bool]) -> dict[str, Any]:
    others = {"instance": trial.instance, "seed": trial.seed, "random": trial.random}
    given = {**trial.params, **{name: value for name, value in others.items() if name in taken and value is not None}}
    # A parameter whose condition is false has no value.
    inactive = [name for name, is_needed in taken.items() if is_needed and name not in given and name not in others]
    return {**given, **dict.fromkeys(inactive)}


def _call(function: Function, keywords: dict[str, Any]) -> float:
    return number(function(**keywords), keywords)


def _call_there(function: Function, keywords: dict[str, Any]) -> float:
    """Calls the function in another process, which can return only exceptions that survive the way back."""
    try:
        return _call(function, keywords)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
            raise EvolveError(f"`{_name(function)}` raised {type(error).__name__}: {error}\n{text}") from None
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


#: Calls that take less than this many seconds are requested and reported in groups, so that messages cost little.
_QUICK = 0.02
_AT_ONCE = 8
#: Receives trials whose scores count.
_Told = Callable[[Sequence[tuple[Trial, Optional[float]]]], None]


def _alone(study: Study, function: Function, taken: Mapping[str, bool], stops: bool, told: _Told) -> None:
    trials = study.ask(1)
    while not study.done:
        begin = clock.perf_counter()
        played: list[tuple[Trial, Optional[float], Optional[str]]] = []
        for trial in trials:
            score, failure = None, None
            try:
                score = _call(function, _keywords(trial, taken))
            except Exception as error:
                if stops:
                    raise
                failure = f"{type(error).__name__}: {error}"
            played.append((trial, score, failure))
        is_quick = clock.perf_counter() - begin < _QUICK * len(trials)
        trials = study._tell_and_ask(played, _AT_ONCE if is_quick else 1)
        told([(trial, score) for trial, score, _ in played])


def _together(
    study: Study, function: Function, taken: Mapping[str, bool], stops: bool, processes: int, told: _Told
) -> None:
    running: dict[Future[float], Trial] = {}
    with ProcessPoolExecutor(processes, initializer=_start_process) as pool:
        try:
            while not study.done:
                for trial in study.ask(processes - len(running)) if len(running) < processes else ():
                    running[pool.submit(_call_there, function, _keywords(trial, taken))] = trial
                if not running:
                    continue
                for future in wait(running, timeout=1.0, return_when=FIRST_COMPLETED).done:
                    trial = running.pop(future)
                    error = future.exception()
                    if error is None:
                        score = future.result()
                        study.tell(trial, score)
                    elif stops or not isinstance(error, Exception):
                        raise error
                    else:
                        score = None
                        study.tell(trial, failure=f"{type(error).__name__}: {error}")
                    told([(trial, score)])
            if running:
                _kill(pool)
        except BaseException as error:
            _kill(pool)
            if isinstance(error, BrokenProcessPool):
                raise EvolveError(
                    f"a process that calls `{_name(function)}` has ended. Is the study started below "
                    "`if __name__ == '__main__':`, and is there enough memory for all processes?"
                ) from None
            raise


def _kill(pool: ProcessPoolExecutor) -> None:
    """Ends calls in progress, which may take long: nothing waits for their scores."""
    for process in list((getattr(pool, "_processes", None) or {}).values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)
