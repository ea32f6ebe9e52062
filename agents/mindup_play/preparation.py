"""Compiles the code of the table, hints and reviews once after installing.

In the process of the server, that would hold up the page and the bots of the game. So it is done by
``python -m mindup_play.preparation PART``: first the table, before the page opens, then hints and
reviews, which take a minute or two more.
"""

import os
import subprocess
import sys
from pathlib import Path

import numba

from mindup_agents.review import review_game
from mindup_env.engine.code_cache import cache_folder
from mindup_play.records import games_of
from mindup_play.session import Session
from mindup_play.settings import PlaySettings

_JIT_DISABLED: bool = numba.config.DISABLE_JIT  # type: ignore[attr-defined]  # it is untyped
_PREPARING = "Preparing the table: once after installing, this takes up to a minute"
_NICENESS = 10
"""Of the process, after the table: the page and the bots of a game come first."""
_WORLDS = 8


def missing_mark(part: str) -> Path | None:
    """The file that marks what is compiled, if it is missing.

    It is beside the compiled code of this state of the sources. None also if nothing is compiled or
    kept.
    """
    folder = cache_folder(("mindup_agents", "mindup_env"))
    mark = None if _JIT_DISABLED or folder is None else folder / part
    return None if mark is None or mark.exists() else mark


class Preparation:
    """The process that compiles hints and reviews, if there is one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def ready(self) -> bool:
        """Whether all is compiled, or the process failed: then it is compiled where it is used."""
        return self._process is None or self._process.poll() is not None

    def start(self) -> None:
        """Compiles the table, if it is missing, and begins with the rest."""
        if missing_mark("table"):
            print(_PREPARING, flush=True)
            _begin("table").wait()
        if missing_mark("page"):
            self._process = _begin("page")

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def _begin(part: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603  # this program itself
        [sys.executable, "-m", "mindup_play.preparation", part],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # what fails there fails here too, where it is shown
    )


def main(part: str) -> None:
    if part == "table":
        _prepare_table()
    else:
        if hasattr(os, "nice"):
            os.nice(_NICENESS)
        _prepare_hints_and_reviews()
    if mark := missing_mark(part):
        mark.touch()


def _prepare_table() -> None:
    """Plays with the default bots; from the second turn on, a bot has a memory."""
    session = Session(PlaySettings(0))
    for _ in range(2):
        session.play(session.game.hand(0)[0])
    session.table_state()


def _prepare_hints_and_reviews() -> None:
    """Takes two hints of each bot that gives them by default, and reviews a turn."""
    for bot, players in (("champion", 3), ("search", 2)):
        session = Session(PlaySettings(0, players, opponents=("lowest",), hints=bot))
        for _ in range(2):
            if (hint := session.hint()) is not None:
                session.play(hint.result().card)
        review_game(games_of(session.game.record())[-2:], worlds=_WORLDS)


if __name__ == "__main__":
    main(*sys.argv[1:])
