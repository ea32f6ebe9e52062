"""What is known of the failures of bots in a chunk, and how the games of each are found.

An error in a call for many games does not say in which game a bot fails. Its games are played
again in smaller parts, as rows of a batch are independent, until a game fails alone.
"""

import math
import os
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from mindup_env import agent as agent_package
from mindup_env.envs import opponents
from mindup_env.settings import checks

MAX_ERRORS = 20
"""A bot with so many errors in a chunk forfeits the games that are left: each is made anew."""
MAX_ENDED = 6
"""The same for calls that end the process or exceed the time limit, which take much longer."""

_MOST_FRAMES = 20
_CALLERS = (
    str(Path(__file__).parent) + os.sep,
    agent_package.__path__[0] + os.sep,
    opponents.__file__,
    checks.__file__,
    "<frozen importlib",
)
"""Files of the frames between the arena and a bot's own code."""


class Forfeit(NamedTuple):
    """A bot plays its lowest cards in some games of a chunk, from a decision on.

    A failure is the forfeit of all games of the call, until it is known which of them failed.
    """

    bot: int
    decision: int  # from 0
    reason: str
    games: tuple[int, ...]  # deal by deal, and in each the rotations
    traceback: str = ""  # of the bot's own code


class FailedCallError(Exception):
    """A bot failed in a call, in one or several of the games that are played."""

    def __init__(self, failure: Forfeit) -> None:
        super().__init__(failure.reason)
        self.failure = failure


def given_up(
    bot: int, games: range, errors: Sequence[Forfeit], ended: Sequence[Forfeit]
) -> Forfeit | None:
    """The forfeit of these games by a bot that failed too often in the chunk; None otherwise.

    ``ended`` are the failures that ended a process.
    """
    for failures, most in ((errors, MAX_ERRORS), (ended, MAX_ENDED)):
        before = [each for each in failures if each.bot == bot and _is_before(each, games)]
        if len(before) >= most:
            reason = f"after {most} failures in these deals, such as {before[-1].reason}"
            return Forfeit(bot, 0, reason, tuple(games), before[-1].traceback)
    return None


def _is_before(failure: Forfeit, games: range) -> bool:
    """Whether a failure was found before these games are played, or in a call for them."""
    first, last = failure.games[0], failure.games[-1]
    return last < games.start or (first <= games.start and games[-1] <= last)


def parts_of(games: range, num_games: int) -> list[range]:
    """The parts in which games are played again: of about the same size, then single games."""
    size = math.isqrt(num_games - 1) + 1
    step = size if len(games) > size else 1
    return [games[first : first + step] for first in range(0, len(games), step)]


def merged(forfeits: Iterable[Forfeit]) -> tuple[Forfeit, ...]:
    """The forfeits, with the games of those that are otherwise equal together."""
    games: dict[Forfeit, list[int]] = {}
    for each in forfeits:
        games.setdefault(each._replace(games=()), []).extend(each.games)
    return tuple(each._replace(games=tuple(games[each])) for each in games)


def describe(error: BaseException) -> str:
    """An error in one line, also one whose text raises another."""
    text = traceback.TracebackException(type(error), error, None)
    return checks.shortened(f"{type(error).__name__}: {text}")


def own_traceback(error: BaseException) -> str:
    """The traceback from the first frame of the bot's own code on; empty if there is none."""
    frame = error.__traceback__
    while frame is not None and frame.tb_frame.f_code.co_filename.startswith(_CALLERS):
        frame = frame.tb_next
    stack = traceback.extract_tb(frame)[-_MOST_FRAMES:]
    return "".join(traceback.StackSummary.from_list(stack).format()).rstrip()
