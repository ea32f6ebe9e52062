"""Compiles the code of hints and reviews into the cache: the program that ``preparation`` runs.

``python -m mindup_play.prepare BOT`` writes a line when it begins to compile, and one when the
hints of the bot are ready. Where the code is in the cache already, this takes a few seconds.
"""

import os
import sys
from typing import Any

from numba.core import event

from mindup_agents.review import review_game
from mindup_play.records import games_of
from mindup_play.session import Session
from mindup_play.settings import PlaySettings

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
        session.play(hint.result().card if hint else session.game.hand(0)[0])
    print(HINTS_READY, flush=True)
    review_game(games_of(session.record())[-2:], worlds=_WORLDS, num_threads=1)


if __name__ == "__main__":
    main(sys.argv[1])
