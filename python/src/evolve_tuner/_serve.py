"""The process ``evolve serve``: each request and each answer is a line of JSON."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any, Optional


class EvolveError(Exception):
    """The command ``evolve`` rejected a request, or ended."""


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
    """A running ``evolve serve``."""

    def __init__(self) -> None:
        # In a separate session, so that Ctrl-C only reaches this process, which then closes the run.
        self._process: Optional[subprocess.Popen[bytes]] = subprocess.Popen(
            [command(), "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=os.name == "posix",
        )

    def request(self, *requests: Any) -> dict[str, Any]:
        """Sends requests at once, and returns the answer to the last one."""
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            raise EvolveError("the run is closed")
        try:
            self._process.stdin.write(b"".join(json.dumps(request).encode() + b"\n" for request in requests))
            self._process.stdin.flush()
            lines = [self._process.stdout.readline() for _ in requests]
        except BrokenPipeError:
            lines = [b""]
        answer: dict[str, Any] = {}
        for line in lines:
            if not line:
                raise EvolveError(f"`evolve serve` ended with status {self._process.wait()}")
            answer = json.loads(line)
            if "error" in answer:
                raise EvolveError(answer["error"])
        return answer

    def close(self) -> None:
        """Ends the process after it has saved the run."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None and process.stdout is not None:
            process.stdin.close()
            process.wait()
            process.stdout.close()
