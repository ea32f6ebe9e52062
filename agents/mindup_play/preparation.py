"""Compiles the code of hints and reviews once after installing, in a process of its own.

This takes a minute or two. In the process of the server it would hold up every request of the
page, and the bots of the game, whose code is compiled too.

``python -m mindup_play.preparation BOT`` is that process: it writes a line when it begins to
compile, and one when the hints of the bot are ready. Where the code is in the cache already, this
takes a few seconds.
"""

import os
import subprocess
import sys
from threading import Thread
from typing import Any

import numba
from numba.core import event

from mindup_agents.review import review_game
from mindup_env.engine.compiler import cache_folder
from mindup_play.offer import bot_scores
from mindup_play.records import games_of
from mindup_play.session import Session
from mindup_play.settings import PlaySettings

_JIT_DISABLED: bool = numba.config.DISABLE_JIT  # type: ignore[attr-defined]  # it is untyped


class Preparation:
    """Which code is ready. Before ``start`` all is: then it is compiled where it is used."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self.hints_ready = self.reviews_ready = True
        self.is_compiling = False

    def start(self, bot: str) -> None:
        """Compiles for the hints of ``bot``, unless it is a bot of the user: it may do anything."""
        if bot not in bot_scores() or _JIT_DISABLED or cache_folder(("mindup_env",)) is None:
            return
        self.hints_ready = self.reviews_ready = False
        self._process = subprocess.Popen(  # noqa: S603  # this program itself, and a bot of ours
            [sys.executable, "-m", "mindup_play.preparation", bot],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what fails there fails here too, where it is shown
            start_new_session=True,  # Ctrl-C at the terminal is for this process
            text=True,
        )
        Thread(target=self._follow, args=(self._process,), daemon=True).start()

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def _follow(self, process: "subprocess.Popen[str]") -> None:
        with process:
            for line in process.stdout or ():
                self.is_compiling |= line.strip() == COMPILING
                self.hints_ready |= line.strip() == HINTS_READY
        self.is_compiling = False
        self.hints_ready = self.reviews_ready = True


COMPILING, HINTS_READY = "compiling", "hints ready"
_NICENESS = 10
"""Of the process: the page and the bots of a game come first."""
_WORLDS = 8
_event: Any = event  # Numba publishes no types for it


class _Announcer(_event.Listener):  # type: ignore[misc]
    """Says when the first function is compiled: it was not in the cache."""

    announced = False

    def on_start(self, _: Any) -> None:
        if not self.announced:
            self.announced = True
            print(COMPILING, flush=True)

    def on_end(self, _: Any) -> None:
        pass


def main(bot: str) -> None:
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    _event.register("numba:compile", _Announcer())
    session = Session(PlaySettings(0, opponents=("lowest",), hints=bot))
    for turn in range(session.settings.config.num_turns):
        hint = session.hint() if turn < 2 else None  # from the second turn on, a bot has a memory
        session.forecast(turn)
        session.play(hint.result().card if hint else session.game.hand(0)[0])
    print(HINTS_READY, flush=True)
    review_game(games_of(session.record())[-2:], worlds=_WORLDS, num_threads=1)


if __name__ == "__main__":
    main(sys.argv[1])
