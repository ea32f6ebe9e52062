"""Compiles the code of the table, bots, hints and reviews once after installing.

In the process of the server, that would hold up the page. So it is done by
``python -m mindup_play.preparation PART...``: first the table, before the page opens, then the
bots, while the person thinks, then hints and reviews, which take a minute or two more.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numba

from mindup_agents.review import review_game
from mindup_env import Game
from mindup_env.engine.code_cache import cache_folder
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.table_state import table_state

_JIT_DISABLED: bool = numba.config.DISABLE_JIT  # type: ignore[attr-defined]  # it is untyped
TABLE = "table"
BOTS = "bots"
REVIEW = "review"
_PREPARING = "Preparing the table: once after installing, this takes some seconds"
_GOING_ON = "Preparing bots, hints and reviews in the background: you can play in the meantime"


def missing_mark(part: str) -> Path | None:
    """The file that marks that a part is compiled, if it is missing.

    It is beside the compiled code of this state of the sources. None also if nothing is compiled or
    kept.
    """
    folder = cache_folder(("mindup_agents", "mindup_env"))
    mark = None if _JIT_DISABLED or folder is None else folder / part
    return None if mark is None or mark.exists() else mark


class Preparation:
    """The process that compiles bots, hints and reviews, if there is one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def is_ready(self, part: str) -> bool:
        """Whether it is compiled, or the process has ended: then it is compiled where it is used.

        A bot that is no part is compiled with the table, or by itself.
        """
        return self._has_ended or part not in _PARTS or missing_mark(part) is None

    @property
    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def wait_for_bots(self) -> None:
        mark = missing_mark(BOTS)
        while mark and not mark.exists() and not self._has_ended:
            time.sleep(0.1)

    def start(self, hint_bot: str | None) -> None:
        """Compiles the table, if it is missing, and begins with the rest: bots, then hints."""
        if missing_mark(TABLE):
            print(_PREPARING, flush=True)
            _begin(TABLE).wait()
        rest = [part for part in _PARTS if part != TABLE and missing_mark(part)]
        if rest:
            print(_GOING_ON, flush=True)
            self._process = _begin(*sorted(rest, key=lambda part: (part != BOTS, part != hint_bot)))

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def _begin(*parts: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(  # noqa: S603  # this program itself
        [sys.executable, "-m", "mindup_play.preparation", *parts],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # what fails there fails here too, where it is shown
    )


def main(*parts: str) -> None:
    for part in parts:
        if part not in (TABLE, BOTS) and hasattr(os, "nice"):
            os.nice(10)  # the page and the bots of a game come first
        _PARTS[part]()
        if mark := missing_mark(part):
            mark.touch()


def _prepare_table() -> None:
    settings = PlaySettings(0)
    table_state(Game(settings.config, settings.seed), None, settings.seat)


def _prepare_bots() -> None:
    """Plays with the default bots; from the second turn on, a bot has a memory."""
    session = Session(PlaySettings(0))
    for _ in range(2):
        session.play(session.game.hand(0)[0])
    session.table_state()


def _prepare_hints(bot: str, players: int) -> None:
    session = Session(PlaySettings(0, players, opponents=("lowest",), hints=bot))
    for _ in range(2):
        if (hint := session.hint()) is not None:
            session.play(hint.result().card)


def _prepare_review() -> None:
    session = Session(PlaySettings(0, players=3, opponents=("lowest",)))
    session.play(session.game.hand(0)[0])
    review_game(session.games, worlds=8)


_PARTS: dict[str, Callable[[], None]] = {
    TABLE: _prepare_table,
    BOTS: _prepare_bots,
    "champion": partial(_prepare_hints, "champion", 3),
    "search": partial(_prepare_hints, "search", 2),
    REVIEW: _prepare_review,
}


if __name__ == "__main__":
    main(*sys.argv[1:])
