"""Observations from all stages of games played at random, for bots to choose by."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env import BatchEnv, GameConfig
from tests.envs.playing import random_legal

Choices = npt.NDArray[np.integer]

CONFIGS = [
    GameConfig(players, objectives) for players in range(2, 7) for objectives in (0, players - 1)
]


class ActArguments(NamedTuple):
    """The arguments of ``Agent.act``."""

    observation: npt.NDArray[np.int8]  # (B, size)
    action_mask: npt.NDArray[np.int8]  # (B, num_cards)
    episode_start: npt.NDArray[np.bool_]  # (B,)
    random_bits: npt.NDArray[np.uint64]  # (B,)

    def pick(self, rows: Any) -> "ActArguments":
        return ActArguments._make(array[rows] for array in self)

    def repeat(self, times: int) -> "ActArguments":
        return ActArguments._make(array.repeat(times, axis=0) for array in self)


def joined(parts: Iterable[ActArguments]) -> ActArguments:
    """The rows of all parts, one after the other."""
    return ActArguments._make(map(np.concatenate, zip(*parts, strict=True)))


def all_seats(env: BatchEnv) -> ActArguments:
    """What all seats of all games see now, game by game, with random bits that are 0."""
    seen = [array.reshape(-1, array.shape[-1]) for array in env.seen.values()]
    rows = len(seen[0])
    return ActArguments(seen[0], seen[1], np.zeros(rows, np.bool_), np.zeros(rows, np.uint64))


@lru_cache
def stages(config: GameConfig, seed: int = 1) -> ActArguments:
    """A row for each turn, each from another game, the seats in turn."""
    env, chance = BatchEnv(config, config.num_turns), np.random.default_rng(seed)
    env.reset(seed=seed)
    rows = []
    for turn in range(config.num_turns):
        seat = turn % config.num_players
        seen = {name: array[turn, seat] for name, array in env.seen.items()}
        rows.append((seen["observation"].copy(), seen["action_mask"].copy()))
        env.step(random_legal(env.seen, chance))
    observation, action_mask = map(np.array, zip(*rows, strict=True))
    return _frozen(observation, action_mask, chance=chance, episode_start=True)


@lru_cache
def whole_games(config: GameConfig, num_games: int, seed: int = 1) -> list[ActArguments]:
    """All seats of games, turn after turn from the first to the last."""
    env, chance = BatchEnv(config, num_games), np.random.default_rng(seed)
    env.reset(seed=seed)
    turns = []
    for turn in range(config.num_turns):
        seen = (array.copy() for array in all_seats(env)[:2])
        turns.append(_frozen(*seen, chance=chance, episode_start=turn == 0))
        env.step(random_legal(env.seen, chance))
    return turns


def _frozen(
    observation: npt.NDArray[np.int8],
    action_mask: npt.NDArray[np.int8],
    *,
    chance: np.random.Generator,
    episode_start: bool,
) -> ActArguments:
    rows = len(observation)
    random_bits = chance.integers(0, 2**64, rows, np.uint64)
    arguments = ActArguments(observation, action_mask, np.full(rows, episode_start), random_bits)
    for array in arguments:
        array.flags.writeable = False  # the tests share them
    return arguments
