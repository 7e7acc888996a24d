"""The progress of a study, in a terminal or a notebook."""

from __future__ import annotations

import sys
import time as clock
import warnings
from typing import Any, Optional

from ._result import Best
from ._study import Study

#: Seconds between two updates: each is a request, and the first comes after as long.
_INTERVAL = 1.0


class Progress:
    """A bar by tqdm or, if it is not installed, a line on standard error."""

    def __init__(self, on: Optional[bool] = None) -> None:
        """By default, it is on in a terminal and in a notebook."""
        self._on = on if on is not None else _is_notebook() or sys.stderr.isatty()
        self._next = clock.monotonic() + _INTERVAL
        self._view: Any = None

    def show(self, study: Study) -> None:
        if not self._on or clock.monotonic() < self._next or study.done:
            return
        if self._view is None:
            self._view = _view()
        self._view.show(study.best)
        self._next = clock.monotonic() + _INTERVAL

    def close(self) -> None:
        if self._view is not None:
            self._view.close()
            self._view = None


def _said(best: Best) -> str:
    text = f"{best.trials} trials, {best.phase}"
    if best.difference:
        mean, low, high = best.difference
        text += f", {mean:+.4g} ({low:+.4g} to {high:+.4g})"
    return text


class _Bar:
    def __init__(self, tqdm: Any) -> None:
        form = "{percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}"
        self._bar = tqdm(total=1.0, bar_format=form, leave=False, dynamic_ncols=True)

    def show(self, best: Best) -> None:
        self._bar.set_postfix_str(_said(best), refresh=False)
        # The share of time can fall when trials become slower.
        self._bar.n = max(self._bar.n, min(best.share, 1.0))
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


class _Line:
    """A line that spaces clear: notebooks know no escapes for it."""

    _length = 0

    def show(self, best: Best) -> None:
        self._write(_said(best))

    def close(self) -> None:
        self._write("")
        self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._length))
        sys.stderr.flush()
        self._length = len(text)


def _view() -> Any:
    try:
        with warnings.catch_warnings():
            # Notebooks without widgets get the bar of terminals.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        return _Line()
    return _Bar(tqdm)


def _is_notebook() -> bool:
    """Whether this is the kernel of a notebook, whose standard error is no terminal."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")
