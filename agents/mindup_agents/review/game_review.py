"""The review of a whole game: its choices, and what each seat of the deal is worth.

A seat is worth the average of many games from the same cards, in which ``predictor`` plays all
seats: a strong bot that is fast, and whose sampled hands make the games differ.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from mindup_agents.card_evaluation import WIN_PROBABILITY
from mindup_agents.predictor import Predictor
from mindup_agents.review.choice import Choice, WorldComparer
from mindup_env import BatchEnv, Game
from mindup_env.agent import ActArguments
from mindup_env.batch_env.state import observe_game
from mindup_env.engine.state import Float64Array
from mindup_env.settings.checks import check_int

FORMAT, VERSION = "mindup-review", 1
WORLDS = 1280
NUM_GAMES = 128
_QUANTILE = 1.96

OnProgress = Callable[[float], None]


class DealStrength(NamedTuple):
    """The results of strong play from one deal, by seat."""

    num_games: int
    win_shares: Float64Array  # (num_players,) means
    margins: Float64Array  # (num_players,) half the width of the 95 % intervals
    scores: Float64Array  # (num_players,) means

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data for JSON."""
        return {
            "num_games": self.num_games,
            "win_shares": self.win_shares.round(4).tolist(),
            "margins": self.margins.round(4).tolist(),
            "scores": self.scores.round(2).tolist(),
        }


@dataclass(frozen=True)
class GameReview:
    """What every choice of a game cost, and what its seats were worth."""

    seed: int  # of the sampled games
    worlds: int  # sampled games per decision
    num_players: int
    choices: tuple[Choice, ...]  # of all seats, turn by turn
    deal: DealStrength  # before the first turn, or at the start of the record
    win_shares: tuple[float, ...] | None  # of the players; None if the game is not over

    @property
    def costs(self) -> list[float]:
        """What all choices of each player cost together, mistakes or not."""
        costs = [0.0] * self.num_players
        for choice in self.choices:
            costs[choice.seat] += choice.cost
        return costs

    @property
    def mistakes(self) -> list[Choice]:
        """The mistakes of all players, the most expensive first."""
        found = (choice for choice in self.choices if choice.is_mistake)
        return sorted(found, key=lambda choice: -choice.cost)

    def to_dict(self) -> dict[str, Any]:
        """The review as versioned plain data for JSON."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "seed": self.seed,
            "worlds": self.worlds,
            "unit": WIN_PROBABILITY,
            "choices": [choice.to_dict() for choice in self.choices],
            "costs": [round(cost, 4) for cost in self.costs],
            "deal": self.deal.to_dict(),
            "win_shares": self.win_shares and list(self.win_shares),
        }


def review_game(
    games: Sequence[Game],
    *,
    seed: int = 0,
    worlds: int = WORLDS,
    on_progress: OnProgress = lambda _: None,
) -> GameReview:
    """Reviews a game.

    Args:
        games: the game before its first turn, and after each turn.
        seed: random seed of the sampled games; the review depends on nothing else but the game.
        worlds: sampled games per decision.
        on_progress: called with the part that is done, from 0 to 1; it may raise an error to stop.
    """
    check_int("seed", seed, 0, 2**64 - 1)
    check_int("worlds", worlds, 8)
    config, num_turns = games[0].config, max(len(games) - 1, 1)
    comparer = WorldComparer(config, worlds)
    choices: list[Choice] = []
    for index, (before, after) in enumerate(pairwise(games)):
        on_progress(index / num_turns)
        random_bits = np.random.default_rng([seed, index]).integers(0, 2**64, dtype=np.uint64)
        seen = observe_game(before)
        # The same random bits for all seats: a review does not depend on where a player sits.
        bits = np.full(config.num_players, random_bits)
        given = ActArguments(**seen, episode_start=np.full(len(bits), index == 0), random_bits=bits)
        choices += _choices(comparer, given, after.plays)
    deal = deal_strength(games[0], seed)
    winners, win_shares = games[-1].winners, None
    if winners:
        win_shares = tuple((seat in winners) / len(winners) for seat in range(config.num_players))
    on_progress(1.0)
    return GameReview(seed, worlds, config.num_players, tuple(choices), deal, win_shares)


def _choices(
    comparer: WorldComparer, given: ActArguments, plays: Sequence[Sequence[int]]
) -> list[Choice]:
    """The choices of all seats in the last turn, by what each of them sees before it."""
    comparer.played = np.array(plays[-1]) - 1
    comparer.act(*given)
    return [
        Choice.of(comparer.compared[seat], card, len(plays) - 1, seat)
        for seat, card in enumerate(comparer.played.tolist())
    ]


def deal_strength(game: Game, seed: int) -> DealStrength:
    """Plays the rest of ``game`` again and again, from its position as it is."""
    config, rng = game.config, np.random.default_rng([seed, NUM_GAMES])
    agent, env = Predictor(config), BatchEnv(config, NUM_GAMES, autoreset=False)
    env.reset(seed=0)  # other games take the places of these
    for index in range(NUM_GAMES):
        seen = env.set_game(index, game)
    rows, first = NUM_GAMES * config.num_players, len(game.plays)
    for turn in range(first, config.num_turns):
        actions = agent.act(
            seen["observation"].reshape(rows, -1),
            seen["action_mask"].reshape(rows, -1),
            np.full(rows, turn == first),
            rng.integers(0, 2**64, rows, np.uint64),
        )
        seen, _, _, _, info = env.step(actions.reshape(NUM_GAMES, -1))
    winners = info["ranks"] == 0  # (games, num_players)
    shares = winners / winners.sum(axis=1, keepdims=True)
    margins = _QUANTILE * shares.std(axis=0, ddof=1) / sqrt(NUM_GAMES)
    return DealStrength(NUM_GAMES, shares.mean(axis=0), margins, info["scores"].mean(axis=0))
