"""A game that is served for pictures."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mindup_play.offer import NewGame
from mindup_play.saved import SavedGames
from mindup_play.server import Server
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from tools.browser import serving


class ServedTable(Server):
    """A server whose game a picture may play on."""

    manager: SessionManager

    def play_turns(self, turns: int) -> None:
        """Plays the lowest cards; the page shows the game when it is opened."""
        for _ in range(turns):
            table = self.state()["table"]["players"][self.state()["seat"]]
            self.manager.play(self._turn(), min(table["known"] + table["hidden"]))

    def deal(self, players: int, bot: str) -> None:
        """Deals another game."""
        self.manager.deal(self._turn(), NewGame(players, 0, 0, (bot,), seed="", hints=False))

    def state(self) -> dict[str, Any]:
        return self.manager.state()

    def _turn(self) -> Any:
        return self.manager._turn_id()


@contextmanager
def served(session: Session, folder: Path) -> Iterator[ServedTable]:
    games = SavedGames(folder)
    manager = SessionManager(session, games.new(), games, lambda text: print(text, file=sys.stderr))
    try:
        with ServedTable(manager) as server, serving(server):
            yield server
    finally:
        manager.close()
