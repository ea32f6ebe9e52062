"""Games of the same bots, one after the other."""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import Any

from mindup_env import GameConfig
from mindup_play.settings import MAX_SEED
from mindup_play.watch.forecast import CardProbabilities
from mindup_play.watch.table import BotsTable


class BotsGames:
    """The game that is watched, and the next ones, each with the next seed.

    The arguments are those of the tables.
    """

    def __init__(
        self,
        specs: Sequence[str],
        names: Sequence[str],
        config: GameConfig,
        seed: int,
        warn: Callable[[str], None],
    ) -> None:
        self._lock = Lock()
        self._make = partial(BotsTable, specs, names, config, warn=warn)
        self._table = self._make(seed=seed)
        self._table.start()

    def state(self, first: int) -> dict[str, Any]:
        return self._table.state(first)

    def forecast(self, turn: int) -> list[CardProbabilities]:
        return self._table.forecast(turn)

    def deal(self, seed: str) -> dict[str, Any]:
        """Deals the game after that of ``seed``, unless another request has dealt it."""
        with self._lock:
            if seed == str(self._table.seed):
                table = self._make(seed=(self._table.seed + 1) % (MAX_SEED + 1))
                self._table.close()
                self._table = table
                table.start()
            return {"seed": str(self._table.seed)}
