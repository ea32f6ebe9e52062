"""Compiles the code of the table, hints and reviews once after installing.

In the process of the server, that would hold up the page and the bots of the game. So it is done by
``python -m mindup_play.preparation``, which writes a line when a part is ready. The table comes
first, before the page opens; hints and reviews take a minute or two more.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import numba

from mindup_agents.review import review_game
from mindup_env.engine.code_cache import cache_folder
from mindup_play.records import games_of
from mindup_play.session import Session
from mindup_play.settings import PlaySettings

_JIT_DISABLED: bool = numba.config.DISABLE_JIT  # type: ignore[attr-defined]  # it is untyped
_NICENESS = 10
"""Of the process, after the table: the page and the bots of a game come first."""
_WORLDS = 8


def missing_mark(name: str) -> Path | None:
    """The file that marks what is compiled, if it is missing.

    It is beside the compiled code of this state of the sources. None also if nothing is compiled or
    kept.
    """
    folder = cache_folder(("mindup_agents", "mindup_env"))
    mark = None if _JIT_DISABLED or folder is None else folder / name
    return None if mark is None or mark.exists() else mark


class Preparation:
    """What is compiled. Before ``start`` all is: then it is compiled where it is used."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._parts = {part: Event() for part in _PREPARE}
        self.table, self.hints, self.reviews = self._parts.values()
        for part in self._parts.values():
            part.set()

    def start(self) -> None:
        """Compiles what is missing."""
        missing = [part for part in _PREPARE if missing_mark(part)]
        if not missing:
            return
        for part in missing:
            self._parts[part].clear()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mindup_play.preparation"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what fails there fails here too, where it is shown
            start_new_session=True,  # Ctrl-C at the terminal is for this process alone
            text=True,
        )
        Thread(target=self._follow, args=(self._process,), daemon=True).start()

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def _follow(self, process: "subprocess.Popen[str]") -> None:
        with process:
            for line in process.stdout or ():
                if part := self._parts.get(line.strip()):
                    part.set()
        for part in self._parts.values():
            part.set()


def _prepare_table() -> None:
    """Plays with the default bots; from the second turn on, a bot has a memory."""
    session = Session(PlaySettings(0))
    for _ in range(2):
        session.play(session.game.hand(0)[0])
    session.table_state()


def _prepare_hints() -> None:
    """Takes two hints of each bot that gives them by default."""
    for bot, players in (("champion", 3), ("search", 2)):
        session = Session(PlaySettings(0, players, opponents=("lowest",), hints=bot))
        for _ in range(2):
            if (hint := session.hint()) is not None:
                session.play(hint.result().card)


def _prepare_reviews() -> None:
    session = Session(PlaySettings(0, opponents=("lowest",)))
    while not session.game.over:
        session.play(session.game.hand(0)[0])
    review_game(games_of(session.record())[-2:], worlds=_WORLDS)


_PREPARE: dict[str, Callable[[], None]] = {
    "table": _prepare_table,
    "hints": _prepare_hints,
    "reviews": _prepare_reviews,
}
"""The parts in their order, and what compiles them."""


def main() -> None:
    for part, prepare in _PREPARE.items():
        if mark := missing_mark(part):
            prepare()
            mark.touch()
        print(part, flush=True)
        if part == "table" and hasattr(os, "nice"):
            os.nice(_NICENESS)


if __name__ == "__main__":
    main()
