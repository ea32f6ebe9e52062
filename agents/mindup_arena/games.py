"""All games of a match over some deals, played at once: the one place where an arena plays."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, Self

import numpy as np
import numpy.typing as npt

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.batch_env import BatchState
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int64Array

Floats = npt.NDArray[np.float64]


class SeatedBot(Protocol):
    """A bot at some seats of all games."""

    def assign_rows(self, rows: Int64Array) -> None:
        """Assigns its seats: ``rows`` (B,), counted along (games, players)."""
        ...

    def act(
        self,
        seen: dict[str, npt.NDArray[np.int8]],
        keys: Keys,
        decision: int,
        actions: Int64Array,
    ) -> None:
        """Fills in the ``actions`` (games, players) of its seats, for a decision from 0."""
        ...


class MatchResults(NamedTuple):
    """The results of a match.

    They belong to the agent at each place, wherever it sits: in rotation r the agent at place i
    sits at seat (i + r) modulo the number of players.

    Attributes:
        scores: Final scores (deals, rotations, places).
        ranks: Number of better scores in the game (deals, rotations, places); 0 for a winner.
    """

    scores: Int64Array  # (deals, rotations, places)
    ranks: Int64Array  # (deals, rotations, places)

    @property
    def win_shares(self) -> Floats:
        """Shares of the victory, from 0 to 1 (deals, rotations, places)."""
        winners = self.ranks == 0
        return np.asarray(winners / winners.sum(axis=-1, keepdims=True))

    @property
    def mean_ranks(self) -> Floats:
        """Ranks from 1 (deals, rotations, places); ties get the mean of the ranks they share."""
        tied = (self.ranks[..., :, None] == self.ranks[..., None, :]).sum(axis=-1)
        return np.asarray(self.ranks + (tied + 1) / 2)

    @property
    def margins(self) -> Floats:
        """Scores minus the mean of the others in the game (deals, rotations, places)."""
        others = self.scores.shape[-1] - 1
        totals = self.scores.sum(axis=-1, keepdims=True)
        return np.asarray(self.scores - (totals - self.scores) / others)

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Joins results over different deals."""
        return cls(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


class RotatedDeals:
    """Some deals, each in all seat rotations: game ``deal * P + rotation`` of one batch.

    Deal d has the cards of slot d of the seed, whatever is played.
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

    def play(self, bots: Sequence[SeatedBot]) -> MatchResults:
        """Plays all games; ``bots`` has the bot at each place, and one can take several."""
        different = {id(bot): bot for bot in bots}.values()
        for bot in different:
            bot.assign_rows(self._rows[..., [each is bot for each in bots]].ravel())
        actions = np.zeros((len(self._keys), self._config.num_players), np.int64)
        for decision in range(self._config.num_turns):
            for bot in different:
                bot.act(self._env.seen, self._keys, decision, actions)
            *_, info = self._env.step(actions)
        scores, ranks = (info[name].ravel()[self._rows] for name in ("scores", "ranks"))
        return MatchResults(scores.astype(np.int64), ranks.astype(np.int64))

    def games(self) -> Iterator[tuple[int, int, Game]]:
        """Copies of the games, each with its deal and rotation."""
        for index in range(len(self._keys)):
            deal, rotation = divmod(index, self._config.num_players)
            yield self._deals[deal], rotation, self._env.game(index)
