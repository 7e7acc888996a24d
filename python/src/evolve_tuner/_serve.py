"""The process ``evolve serve``: each request and each answer is a line of JSON."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import threading
import weakref
from pathlib import Path
from typing import Any

from ._errors import EvolveError, of_arguments


def command() -> str:
    """Finds the command: in the variable ``EVOLVE``, in this Python environment, or in ``PATH``."""
    named = os.environ.get("EVOLVE")
    if named:
        return named
    name = "evolve.exe" if os.name == "nt" else "evolve"
    own = Path(sysconfig.get_path("scripts")) / name
    found = str(own) if own.exists() else shutil.which(name)
    if not found:
        raise EvolveError("the command `evolve` was not found: install this package with pip, or set EVOLVE to its path")
    return found


class Serve:
    """A running ``evolve serve``. Threads may share it: each answer goes to the thread that sent the request."""

    def __init__(self) -> None:
        # In a separate session, so that Ctrl-C only reaches this process, which then closes the run.
        process = subprocess.Popen(
            [command(), "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=os.name == "posix",
        )
        assert process.stdin is not None and process.stdout is not None
        self._process, self._input, self._output = process, process.stdin, process.stdout
        self._is_closed = False
        # A thread that waits for its answer holds only the second lock, so that another one can send its scores.
        self._sending, self._receiving = threading.Lock(), threading.Lock()
        #: The numbers of requests and of answers. They differ if Ctrl-C ends the wait for an answer.
        self._sent, self._received = 0, 0
        _all.add(self)

    def request(self, *requests: Any) -> dict[str, Any]:
        """Sends requests at once, and returns the answer to the last one."""
        text = b"".join(json.dumps(request, default=_plain).encode() + b"\n" for request in requests)
        with self._sending:
            if self._is_closed:
                raise EvolveError("the run is closed")
            earlier = self._sent
            self._sent += len(requests)
            try:
                self._input.write(text)
                self._input.flush()
            except BrokenPipeError:
                raise self._end() from None
            self._receiving.acquire()
        try:
            while self._received < earlier:
                self._line()
            lines = [self._line() for _ in requests]
        finally:
            self._receiving.release()
        answer: dict[str, Any] = {}
        for line in lines:
            answer = json.loads(line)
            if "error" in answer:
                raise EvolveError(of_arguments(answer["error"]))
        return answer

    def _line(self) -> bytes:
        line = self._output.readline()
        if not line:
            raise self._end()
        self._received += 1
        return line

    def _end(self) -> EvolveError:
        return EvolveError(f"`evolve serve` ended with status {self._process.wait()}")

    def close(self) -> None:
        """Ends the process after it has saved the run."""
        with self._sending:
            if self._is_closed:
                return
            self._is_closed = True
            try:
                self._input.close()
            except BrokenPipeError:
                pass
        with self._receiving:
            self._process.wait()
            self._output.close()

    def _forget(self) -> None:
        """Closes the pipes in a fork of this process. Otherwise, it would keep the run open after the end of this one."""
        self._is_closed = True
        # Another thread may have held them.
        self._sending, self._receiving = threading.Lock(), threading.Lock()
        for pipe in (self._input, self._output):
            pipe.raw.close()  # type: ignore[attr-defined]


_all: weakref.WeakSet[Serve] = weakref.WeakSet()


def _forget_all() -> None:
    for serve in list(_all):
        serve._forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


def _plain(value: Any) -> Any:
    """The numbers of numpy and its arrays as those of Python."""
    try:
        return value.tolist()
    except AttributeError:
        raise TypeError(f"{value!r} is not a number, a text or a list of them") from None
