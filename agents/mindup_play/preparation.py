"""Compiles the code of the table, hints and reviews once after installing.

The table comes first, before the page opens. Hints and reviews take a minute or two more: in the
process of the server that would hold up every request of the page, and the bots of the game, whose
code is compiled too. So ``python -m mindup_play.preparation BOT`` is a process of its own, which
writes a line when the hints of the bot are ready, and ends when reviews are.
"""

import os
import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import numba

from mindup_agents.review import review_game
from mindup_env.engine.code_cache import cache_folder
from mindup_play.offer import STRENGTHS
from mindup_play.records import games_of
from mindup_play.session import Session
from mindup_play.settings import PlaySettings

_JIT_DISABLED: bool = numba.config.DISABLE_JIT  # type: ignore[attr-defined]  # it is untyped
_HINTS_READY = "hints ready"
_NICENESS = 10
"""Of the process: the page and the bots of a game come first."""
_WORLDS = 8


def missing_mark(name: str) -> Path | None:
    """The file that marks what is compiled, if it is missing.

    It is beside the compiled code of this state of the sources. None also if nothing is compiled or
    kept.
    """
    folder = cache_folder(("mindup_agents", "mindup_env"))
    mark = None if _JIT_DISABLED or folder is None else folder / name
    return None if mark is None or mark.exists() else mark


def prepare_table(mark: Path) -> None:
    """Plays with the default bots; from the second turn on, a bot has a memory."""
    session = Session(PlaySettings(0))
    for _ in range(2):
        session.play(session.game.hand(0)[0])
    session.table_state()
    mark.touch()


class Preparation:
    """What is compiled. Before ``start`` all is: then it is compiled where it is used."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self.hints, self.reviews = Event(), Event()
        self.hints.set()
        self.reviews.set()

    def start(self, bot: str) -> None:
        """Compiles for the hints of ``bot``, unless it is a bot of the user: it may do anything."""
        if bot not in STRENGTHS or missing_mark(bot) is None:
            return
        self.hints.clear()
        self.reviews.clear()
        self._process = subprocess.Popen(  # noqa: S603  # this program itself, and a bot of ours
            [sys.executable, "-m", "mindup_play.preparation", bot],
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
            for _ in process.stdout or ():
                self.hints.set()
        self.hints.set()
        self.reviews.set()


def main(bot: str) -> None:
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    session = Session(PlaySettings(0, opponents=("lowest",), hints=bot))
    for turn in range(session.settings.config.num_turns):
        hint = session.hint() if turn < 2 else None
        session.play(hint.result().card if hint else session.game.hand(0)[0])
    print(_HINTS_READY, flush=True)
    review_game(games_of(session.record())[-2:], worlds=_WORLDS)
    if mark := missing_mark(bot):
        mark.touch()


if __name__ == "__main__":
    main(*sys.argv[1:])
