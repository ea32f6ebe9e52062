"""Learns the weights of the linear bidder by the cross-entropy method.

Each generation draws weights around a mean, lets all of them play the same deals against random
players, and moves the mean and the spread to the best of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mindup_agents.linear import FEATURES, Weights, play_against_random
from mindup_env.config import GameConfig
from mindup_env.engine import kernels, streams
from mindup_env.engine.batch import Batch, make_keys

_TEST_SEED = 2**32
"""Deals that no training seed of a user is likely to have played."""


@dataclass(frozen=True)
class Settings:
    players: int = 4
    generations: int = 30
    population: int = 48
    games: int = 240
    elite: float = 0.2
    least_spread: float = 0.05
    seed: int = 0


@dataclass(frozen=True)
class Progress:
    """Where a generation stands; the shares are of victories against random players."""

    generation: int
    weights: Weights
    win_share: float
    win_share_error: float
    margin: float


def learn(settings: Settings, test_games: int = 4800) -> Iterator[Progress]:
    """Yields the start, a bidder that plays its lowest card, and then each generation."""
    config = GameConfig(num_players=settings.players)
    rng = np.random.default_rng(settings.seed)
    mean, spread = np.zeros(len(FEATURES)), np.ones(len(FEATURES))
    for generation in range(settings.generations + 1):
        if generation > 0:
            shape = (settings.population, len(FEATURES))
            candidates = mean + spread * rng.standard_normal(shape)
            deals = make_keys(settings.seed, settings.games)
            deals[:, streams.EPISODE] = generation
            _, margins = play(config, candidates, deals)
            best = candidates[np.argsort(margins.mean(axis=1))[-_num_elite(settings) :]]
            mean, spread = best.mean(axis=0), best.std(axis=0) + settings.least_spread
        shares, margins = play(config, mean[None], make_keys(_TEST_SEED, test_games))
        yield Progress(
            generation=generation,
            weights=mean,
            win_share=float(shares.mean()),
            win_share_error=float(1.96 * shares.std() / np.sqrt(test_games)),
            margin=float(margins.mean()),
        )


def play(
    config: GameConfig, candidates: Weights, deals: kernels.Keys
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Win shares and margins (candidates, deals): each candidate plays each deal at one seat."""
    shape = len(candidates), len(deals)
    keys = np.tile(deals, (shape[0], 1))
    weights = np.repeat(candidates, shape[1], axis=0)
    num_games, players = len(keys), config.num_players
    seats = (np.arange(num_games) % shape[1] % players).astype(np.int8)
    batch = Batch(config, num_games)
    cards = np.zeros((num_games, players), np.int8)
    kernels.deal_all(batch.table, keys)
    for _ in range(config.num_turns):
        play_against_random(batch.table, keys, seats, weights, cards)
        kernels.play_all(batch.table, cards)
    ranks = np.zeros((num_games, players), np.int64)
    kernels.rank_all(batch.table, ranks)
    scores = batch.games.points.sum(axis=(1, 3), dtype=float)
    own = np.arange(num_games), seats
    winners = ranks == 0
    shares = winners[own] / winners.sum(axis=1)
    others = (scores.sum(axis=1) - scores[own]) / (players - 1)
    return shares.reshape(shape), (scores[own] - others).reshape(shape)


def _num_elite(settings: Settings) -> int:
    return max(2, round(settings.elite * settings.population))
