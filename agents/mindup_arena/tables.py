"""The games of some deals in every rotation of one line-up, all played at once."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.batch_env import BatchState
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int64Array


class Player(Protocol):
    """Fills in the actions (N, P) of its seats for the decision of that number."""

    def act(
        self,
        seen: dict[str, npt.NDArray[np.int8]],
        keys: Keys,
        decision: int,
        actions: Int64Array,
    ) -> None: ...


class GameResults(NamedTuple):
    """How the games ended for the bot at each place of the line-up, wherever it sat."""

    scores: Int64Array  # (deals, rotations, places)
    ranks: Int64Array  # (deals, rotations, places) how many were better; 0 for a winner


class Tables:
    """Game ``deal * P + rotation`` is the deal with the line-up moved on by so many seats.

    Deal d has the cards of slot d, whoever plays it.
    """

    def __init__(self, config: GameConfig, seed: int, deals: range) -> None:
        players = config.num_players
        self._deals, self._config = deals, config
        self._keys = np.repeat(make_keys(seed, len(deals), deals.start), players, axis=0)
        games = Batch(config, len(self._keys))
        kernels.deal_all(games.arrays, self._keys)
        self._env = BatchEnv(config, len(self._keys), autoreset=False, illegal_action="raise")
        self._env.set_state(range(len(self._keys)), BatchState(games.games, self._keys))
        rotations, places = np.ogrid[:players, :players]
        seats = (places + rotations) % players  # (rotations, places)
        first_rows = players * np.arange(len(self._keys)).reshape(-1, players, 1)
        self._rows = first_rows + seats  # (deals, rotations, places)

    def rows(self, places: Sequence[int]) -> Int64Array:
        """The rows, counted along (games, players), of the bots at some places."""
        rows: Int64Array = self._rows[..., list(places)].ravel()
        return rows

    def play(self, players: Sequence[Player]) -> GameResults:
        actions = np.zeros((len(self._keys), self._config.num_players), np.int64)
        for decision in range(self._config.num_turns):
            for player in players:
                player.act(self._env.seen, self._keys, decision, actions)
            *_, info = self._env.step(actions)
        ended = (info[name].ravel()[self._rows].astype(np.int64) for name in ("scores", "ranks"))
        return GameResults(*ended)

    def games(self) -> Iterator[tuple[int, int, Game]]:
        """Copies of the games, with their deals and rotations."""
        for index in range(len(self._keys)):
            deal, rotation = divmod(index, self._config.num_players)
            yield self._deals[deal], rotation, self._env.game(index)
