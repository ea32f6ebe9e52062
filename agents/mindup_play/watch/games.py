"""Games of the same bots, one after the other."""

from collections.abc import Callable
from threading import Lock
from typing import Any

from mindup_play.settings import MAX_SEED
from mindup_play.watch.forecast import CardProbabilities
from mindup_play.watch.table import BotsTable


class BotsGames:
    """The game that is watched, and the next ones, each with the next seed.

    Args:
        make: returns the table of a seed, before its first turn.
        seed: the seed of the first game.
    """

    def __init__(self, make: Callable[[int], BotsTable], seed: int) -> None:
        self._lock = Lock()
        self._make = make
        self._table = make(seed)
        self._table.start()

    def state(self, first: int) -> dict[str, Any]:
        return self._table.state(first)

    def forecast(self, seed: str, turn: int) -> list[CardProbabilities]:
        return self._table.forecast(seed, turn)

    def deal(self, seed: str) -> dict[str, Any]:
        """Deals the game after that of ``seed``, unless another request has dealt it."""
        with self._lock:
            if seed == str(self._table.seed):
                table = self._make((self._table.seed + 1) % (MAX_SEED + 1))
                self._table.close()
                self._table = table
                table.start()
            return {"seed": str(self._table.seed)}
