"""Compiles the code of the table, hints and reviews once after installing, in another process.

This takes a minute or two. In the process of the server it would hold up every request of the
page, and the bots of the game, whose code is compiled too.

``python -m mindup_play.preparation BOT OPPONENT ...`` is that process: it writes a line for each
function that it compiles, one when a table with the opponents is ready, if there are any, and one
when the hints of the bot are. Where the code is in the cache already, this takes a few seconds.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import numba
from numba.core import event

from mindup_agents.review import review_game
from mindup_env import OFFICIAL_DECK
from mindup_env.engine.compiler import cache_folder
from mindup_play.offer import STRENGTHS
from mindup_play.records import games_of, show_progress
from mindup_play.routes import get
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.table_state import deck_state

_JIT_DISABLED: bool = numba.config.DISABLE_JIT  # type: ignore[attr-defined]  # it is untyped


class Preparation:
    """Which code is ready. Before ``start`` all is: then it is compiled where it is used."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self.table_ready = self.hints_ready = self.reviews_ready = True
        self.num_compiled = 0

    @property
    def table_progress(self) -> float:
        """The part of the table that is compiled; below 1, because another bot may need more."""
        return min(self.num_compiled / FOR_THE_TABLE, 0.99)

    def start(self, bot: str, opponents: Sequence[str] = ()) -> None:
        """Compiles for the hints of ``bot``, unless it is a bot of the user: it may do anything.

        With ``opponents``, a table with those of them that are ours comes first.
        """
        if bot not in STRENGTHS or compiled_table() is None:
            return
        ours = [*filter(STRENGTHS.__contains__, opponents)]
        self.table_ready = not ours
        self.hints_ready = self.reviews_ready = False
        self._process = subprocess.Popen(  # noqa: S603  # this program itself, and bots of ours
            [sys.executable, "-m", "mindup_play.preparation", bot, *ours],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what fails there fails here too, where it is shown
            start_new_session=True,  # Ctrl-C at the terminal is for this process
            text=True,
        )
        Thread(target=self._follow, args=(self._process,), daemon=True).start()

    def wait_for_table(self) -> None:
        """Shows at the terminal how far it is."""
        while not self.table_ready:
            show_progress("preparing the table", self.table_progress)
            sleep(_PAUSE)
        show_progress("preparing the table", 1)

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def _follow(self, process: "subprocess.Popen[str]") -> None:
        with process:
            for line in map(str.strip, process.stdout or ()):
                self.num_compiled += line == COMPILING
                self.table_ready |= line == TABLE_READY
                self.hints_ready |= line == HINTS_READY
        self.table_ready = self.hints_ready = self.reviews_ready = True


class TableInPreparation:
    """Answers a page that waits for its table."""

    def __init__(self, preparation: Preparation) -> None:
        self._preparation = preparation

    @get
    def deck(self) -> list[dict[str, Any]]:
        return deck_state(OFFICIAL_DECK)

    @get
    def state(self) -> dict[str, Any]:
        return {"preparing": True, "progress": self._preparation.table_progress}


def compiled_table() -> Path | None:
    """The file that is beside the code of a table; None if nothing is compiled or kept.

    Without it some of the code may be there, from other commands.
    """
    folder = cache_folder(("mindup_env", "mindup_agents"))
    return None if _JIT_DISABLED or folder is None else folder / "table"


COMPILING, TABLE_READY, HINTS_READY = "compiling", "table ready", "hints ready"
FOR_THE_TABLE, FOR_REVIEWS = 86, 263
"""About how many functions are compiled until they are ready, with the default bots."""
_PAUSE = 0.2
"""Seconds between the steps of a progress."""
_NICENESS = 10
"""Of the process: the page and the bots of a game come first."""
_WORLDS = 8
_event: Any = event  # Numba publishes no types for it


class _Announcer(_event.Listener):  # type: ignore[misc]
    """Says when a function is compiled: it was not in the cache."""

    def on_start(self, _: Any) -> None:
        print(COMPILING, flush=True)

    def on_end(self, _: Any) -> None:
        pass


def main(bot: str, *opponents: str) -> None:
    _event.register("numba:compile", _Announcer())
    if opponents:
        table = Session(PlaySettings(0, opponents=opponents))
        for _ in range(2):  # from the second turn on, a bot has a memory
            table.play(table.game.hand(0)[0])
        table.table_state()
        if mark := compiled_table():
            mark.touch()
        print(TABLE_READY, flush=True)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    session = Session(PlaySettings(0, opponents=("lowest",), hints=bot))
    for turn in range(session.settings.config.num_turns):
        hint = session.hint() if turn < 2 else None
        session.play(hint.result().card if hint else session.game.hand(0)[0])
    print(HINTS_READY, flush=True)
    review_game(games_of(session.record())[-2:], worlds=_WORLDS)


if __name__ == "__main__":
    main(*sys.argv[1:])
