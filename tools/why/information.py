"""What hidden and public hands are worth: one search that knows more or less than three others.

It samples games as they do, but in some rounds it sees the true hands of its opponents, or forgets
which cards of their hands are public.
"""

from collections.abc import Collection
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.playout import SampledArrays
from mindup_agents.search import Search
from mindup_arena.estimate import estimate_shares
from mindup_arena.match import RotatedDeals
from mindup_env import GameConfig, StateLayout
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.envs.opponents import BatchedSeats
from mindup_env.envs.seat_inputs import Observations
from tools.why.study import Entries, percent

CONFIG = GameConfig()
SEED, DEALS = 20261202, 300
SEES, FORGETS = "sees the hands", "forgets what was shown"
ROUNDS = {"round 1": (1,), "round 2": (2,), "round 3": (3,), "all rounds": (1, 2, 3)}


class Seer(Search):
    """Search with the true hands in some rounds.

    Attributes:
        hands: the hands of the players, from the view of each row of the next call of ``act``
            (B, players, cards).
    """

    hands: npt.NDArray[np.int8]

    def __init__(self, config: GameConfig, rounds: Collection[int]) -> None:
        super().__init__(config)
        self._rounds = rounds

    def _search(self, observation: Int8Array, row: int, row_bits: np.uint64) -> int:
        self._row = row
        return super()._search(observation, row, row_bits)

    def _sampled_games(
        self, observation: Int8Array, num_games: int, rng: np.random.Generator
    ) -> SampledArrays:
        rules, games, known, hidden, *rest = super()._sampled_games(observation, num_games, rng)
        seen = self._layout.views(observation)
        if seen["round"] not in self._rounds:
            return rules, games, known, hidden, *rest
        cards, *later = hidden
        hidden_hands = self.hands[self._row, 1:] > seen["known"][1:]  # (opponents, cards)
        held = np.nonzero(hidden_hands)[1].astype(np.int8)
        rest_of_deck = cards[~np.isin(cards, held)].reshape(num_games, -1)
        true_cards = np.hstack([np.tile(held, (num_games, 1)), rest_of_deck])
        return rules, games, known, (true_cards, *later), *rest


class Forgetful(Search):
    """Search that does not know which cards of its opponents are public, in some rounds."""

    def __init__(self, config: GameConfig, rounds: Collection[int]) -> None:
        super().__init__(config)
        self._rounds = list(rounds)

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        remembered = observation.copy()
        seen = self._layout.views(remembered)
        rows = np.isin(seen["round"], self._rounds)
        seen["unknown"][rows, 1:] += seen["known"][rows, 1:].sum(axis=-1, dtype=np.int8)
        seen["known"][rows, 1:] = 0
        return super().act(remembered, action_mask, episode_start, random_bits)


class SeerSeats(BatchedSeats):
    """Seats of a seer, which get the hands from the games."""

    def __init__(self, seer: Seer, games: RotatedDeals, most_rows: int) -> None:
        super().__init__(seer, CONFIG, most_rows)
        self._seer, self._games = seer, games

    def act(self, seen: Observations, keys: Keys, decision: int, actions: Int64Array) -> None:
        states = self._games.env.state(per_seat=True)
        hands = StateLayout(CONFIG).views(states)["hands"]
        self._seer.hands = hands.reshape(-1, *hands.shape[2:])[self.rows]
        super().act(seen, keys, decision, actions)


def entries() -> Entries:
    return {
        f"{kind}, {name}": partial(win_share, kind, rounds)
        for kind in (SEES, FORGETS)
        for name, rounds in ROUNDS.items()
        if (kind, rounds) != (FORGETS, (1,))  # in the first round nothing was shown
    }


def win_share(kind: str, rounds: Collection[int]) -> dict[str, Any]:
    """The win share of such a bot against three ``search``."""
    games = RotatedDeals(CONFIG, SEED, range(DEALS))
    most_rows = DEALS * CONFIG.num_players**2
    others = BatchedSeats(Search(CONFIG), CONFIG, most_rows)
    one = (
        SeerSeats(Seer(CONFIG, rounds), games, most_rows)
        if kind == SEES
        else BatchedSeats(Forgetful(CONFIG, rounds), CONFIG, most_rows)
    )
    results = games.play([one, *[others] * (CONFIG.num_players - 1)])
    per_deal = results.by_deal(CONFIG.num_players).win_shares[..., :1].mean(axis=1)
    (share,) = estimate_shares(per_deal, CONFIG.num_players)
    return {"deals": DEALS, "win_share": percent(share)}
