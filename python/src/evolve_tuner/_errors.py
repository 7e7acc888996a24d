"""Errors of the command, in the words of this module's arguments."""

from __future__ import annotations

import re


class EvolveError(Exception):
    """The command ``evolve`` rejected a request, or ended."""


#: What the command says of the job that a study sends, and what the caller wrote instead.
_SAID = (
    # A place in the job, which the caller never saw.
    (r"(?m)^(?:[^\s:]*/)?job:\d+(?::\d+)?: ", ""),
    (r"`parameters\.([\w.-]+?)\.int` takes \[smallest, largest\]", r"`Int` of `\1` takes low and high"),
    (r"`parameters\.([\w.-]+?)\.float` takes \[smallest, largest\]", r"`Float` of `\1` takes low and high"),
    (r"`parameters\.([\w.-]+?)\.choice`", r"`Choice` of `\1`"),
    (r"`parameters\.([\w.-]+?)\.int`", r"`Int` of `\1`"),
    (r"`parameters\.([\w.-]+?)\.float`", r"`Float` of `\1`"),
    (r"`(?:parameters\.)?([\w.-]+?)\.prior(?:\.normal)?`", r"`prior` of `\1`"),
    (r"`(?:parameters\.)?([\w.-]+?)\.(start|step|unit|log|condition|by)`", r"`\2` of `\1`"),
    (r"`(?:program|search)\.([\w.-]+)`", r"`\1`"),
    (r"`constraints\.([\w.-]+)`", r"`constraints` of `\1`"),
    (r"`features\.([\w.-]+)`", r"`features` of `\1`"),
    (r"\[search\] needs a limit: .*?, or `time`", "a study needs a limit: `budget` (trials) or `time`"),
    (r"no parameters: add a section \[parameters\]", "no parameters: declare at least one, such as {\"k\": Int(1, 20)}"),
    (r"\[(search|program|constraints)\]", r"`\1`"),
    (r"declare it in `features` of `program`", "declare it in `features`"),
    (r"`split = false`", "program={\"split\": False}"),
    (r"`optimizer = \"auto\"`", "search={\"optimizer\": \"auto\"}"),
    (r"already holds a run$", "already holds a study: continue it with resume=True, or choose another `name`"),
    (r"holds a run of another job: there", "holds a study with other arguments: there"),
    (r"give this job another `name`", "choose another `name`"),
)


def of_arguments(message: str) -> str:
    """The message of the command, about arguments instead of a job."""
    for said, meant in _SAID:
        message = re.sub(said, meant, message)
    return message
