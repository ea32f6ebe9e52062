"""The keys of games: seed, slot, episode and agent seed, from which everything random follows."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from mindup_env.checks import InputError, check_int
from mindup_env.engine import streams
from mindup_env.engine.state import Keys

_AGENT_SEEDS = b"mindup: agents"  # a purpose that no other hash of a seed should share


def make_keys(
    seed: int, num_games: int, slot: int = 0, episode: int = 0, *, agent_seed: int | None = None
) -> Keys:
    """Keys (num_games, 4) for the slots from ``slot`` on.

    Seed, slot and episode decide the cards of a game; slot, episode and agent seed decide the
    bots' random bits. By default the agent seed is a one-way hash of the seed.
    """
    keys = np.zeros((num_games, 4), np.uint64)
    seed = check_int("seed", seed, 0, streams.LAST_SEED)
    keys[:, streams.SEED] = seed
    keys[:, streams.SLOT] = check_int("slot", slot, 0, streams.LAST_INDEX) + np.arange(num_games)
    keys[:, streams.EPISODE] = check_int("episode", episode, 0, streams.LAST_INDEX)
    keys[:, streams.AGENT_SEED] = agent_seed_of(seed) if agent_seed is None else agent_seed
    return keys


def agent_seed_of(seed: int) -> int:
    """The seed of the bots' random bits, from which the seed of the deal cannot be computed."""
    digest = hashlib.blake2b(seed.to_bytes(8, "little"), digest_size=8, person=_AGENT_SEEDS)
    return int.from_bytes(digest.digest(), "little")


def first_keys(seed: Any, num_games: int) -> Keys:
    """Keys of first episodes: of slots 0 to N - 1 of a seed, or of slot 0 of each of N seeds."""
    is_list = isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str | bytes)
    if not is_list or getattr(seed, "ndim", 1) == 0:  # an array without an axis is one seed
        return make_keys(seed, num_games)
    if len(seed) != num_games:
        raise InputError(f"{num_games} games need as many seeds, not {len(seed)}")
    return np.concatenate([make_keys(one, 1) for one in seed])
