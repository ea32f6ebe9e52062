"""Kernels with a thread for each game, and one with a warp. Each calls what the CPU calls.

The lanes of a warp run the functions of ``mindup_env.observation`` together, each with the same
values. What writes many bytes at once there, on the CPU with wide registers, is divided among the
lanes, which write neighbouring bytes.
"""

from typing import Any

import numpy as np
from numba import int8

from mindup_env.batch_env.kernels import StepBuffers, play_game, product
from mindup_env.cuda.device import LANES, cuda, jit, replace
from mindup_env.engine import streams
from mindup_env.engine.dealing import choose_random_cards, deal
from mindup_env.engine.kernels import play_game_at_random
from mindup_env.engine.results import is_over
from mindup_env.engine.state import Games, Rules
from mindup_env.observation import wide_writes
from mindup_env.observation.layout import Offsets
from mindup_env.observation.wide_writes import SET_SIZE
from mindup_env.observation.writer import observe, observe_masks
from mindup_env.rewards import RewardWeights


def rounded_product(first: float, second: float) -> Any:
    return cuda.libdevice.dmul_rn(first, second)


replace(product, rounded_product)


@jit
def deal_games(arrays: Any, keys: Any, episodes: int) -> None:
    """Deals all games by their keys (N, 4); or, if ``episodes`` is 1, the next ones where over."""
    g = cuda.grid(1)
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    if g < len(games.clock) and (episodes == 0 or is_over(rules, games, g)):
        keys[g, streams.EPISODE] += np.uint64(episodes)
        deal(rules, games, g, keys[g])


@jit
def play_turns(arrays: Any, actions: Any, weights: Any, buffers: Any) -> None:
    """Plays a turn of every game that is not over; the tuples are RewardWeights and StepBuffers."""
    g = cuda.grid(1)
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    if g < len(games.clock):
        play_game(rules, games, g, actions, RewardWeights(*weights), StepBuffers(*buffers))


@jit
def play_at_random(arrays: Any, keys: Any, cards: Any) -> None:
    """Plays a uniformly random turn of every game, and deals the next episode of finished games."""
    g = cuda.grid(1)
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    if g < len(games.clock):
        play_game_at_random(rules, games, g, keys, cards)


@jit
def choose_at_random(arrays: Any, keys: Any, actions: Any) -> None:
    """Fills ``actions`` (N, num_players) with a random card of every hand."""
    g = cuda.grid(1)
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    if g < len(games.clock):
        choose_random_cards(rules, games, g, keys[g], actions[g])


@jit
def observe_games(arrays: Any, offsets: Any, seen: Any) -> None:
    """Fills the observations and masks of all seats of every game, flat, with a block for each.

    The scratch of ``observe`` is the block's shared memory.
    """
    g = cuda.blockIdx.x
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    observations, masks = seen
    vector = cuda.shared.array(0, int8)
    # Nothing may be written beyond the end of the game's part: another warp writes what follows.
    end = (g + 1) * (len(observations) // cuda.gridDim.x)
    end_of_masks = (g + 1) * (len(masks) // cuda.gridDim.x)
    observe(rules, games, g, Offsets(*offsets), vector, observations[:end])
    observe_masks(rules, games, g, masks[:end_of_masks])


# Each begins when all lanes have done what comes before: so what a write runs ahead is written
# over afterwards, and what a lane reads is there.


def store_members(members: Any, array: Any, start: Any) -> None:
    cuda.syncwarp()
    for first in range(0, SET_SIZE, LANES):
        member = first + cuda.threadIdx.x
        array[start + member] = (members >> member) & 1


def copy_slice(source: Any, begins: Any, ends: Any, target: Any, start: Any) -> None:
    while begins < ends:
        cuda.syncwarp()
        place = cuda.threadIdx.x
        if begins + place < ends:
            target[start + place] = source[begins + place]
        begins += LANES
        start += LANES


IN_LANES = store_members, copy_slice
"""What takes the place of the functions of these names in ``wide_writes``."""

for _each in IN_LANES:
    replace(getattr(wide_writes, _each.__name__), _each)
