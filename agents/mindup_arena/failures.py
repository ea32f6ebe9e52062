"""The games that a bot forfeits, and how its error is described."""

import traceback
from typing import NamedTuple

from mindup_env.settings.checks import shortened

_MOST_FRAMES = 20


class Forfeit(NamedTuple):
    """A bot plays its lowest cards in some games of a chunk, from a decision on."""

    bot: int
    decision: int  # from 0
    reason: str
    games: tuple[int, ...]  # deal by deal, and in each the rotations
    traceback: str = ""  # of an error


def describe(error: BaseException) -> str:
    """An error in one line, also one whose text raises another."""
    text = traceback.TracebackException(type(error), error, None)
    return shortened(f"{type(error).__name__}: {text}")


def traceback_of(error: BaseException) -> str:
    """The last calls that led to an error."""
    return "".join(traceback.format_tb(error.__traceback__, -_MOST_FRAMES)).rstrip()
