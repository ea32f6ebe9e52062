"""Kernels with a thread for each game, and one with a warp. Each calls what the CPU calls.

The lanes of a warp run the functions of ``mindup_env.observation`` together, each with the same
values. What writes many bytes at once there, on the CPU with wide registers, is divided among the
lanes, which write neighbouring bytes.
"""

from typing import Any

from numba import int8

from mindup_env.batch_env.kernels import StepBuffers, play_game, product
from mindup_env.cuda.device import LANES, cuda, jit, replace
from mindup_env.engine.dealing import choose_random_cards, deal, deal_next
from mindup_env.engine.results import is_over
from mindup_env.engine.state import Games, Rules
from mindup_env.observation import wide_writes
from mindup_env.observation.layout import Offsets
from mindup_env.observation.wide_writes import SET_SIZE
from mindup_env.observation.writer import write_masks, write_observations
from mindup_env.rewards import RewardWeights


def rounded_product(first: float, second: float) -> Any:
    return cuda.libdevice.dmul_rn(first, second)


replace(product, rounded_product)


@jit
def deal_all(rules: Rules, games: Games) -> None:
    """Deals all games by their keys."""
    g = cuda.grid(1)
    if g < len(games.clock):
        deal(rules, games, g)


@jit
def deal_over(rules: Rules, games: Games) -> None:
    """Deals the next episodes of games that are over."""
    g = cuda.grid(1)
    if g < len(games.clock) and is_over(rules, games, g):
        deal_next(rules, games, g)


@jit
def play_turns(rules: Rules, games: Games, weights: RewardWeights, buffers: StepBuffers) -> None:
    """Plays a turn of every game that is not over."""
    g = cuda.grid(1)
    if g < len(games.clock):
        play_game(rules, games, g, weights, buffers)


@jit
def choose_at_random(rules: Rules, games: Games, actions: Any) -> None:
    """Fills ``actions`` (N, num_players) with a random card of every hand."""
    g = cuda.grid(1)
    if g < len(games.clock):
        choose_random_cards(rules, games, g, actions[g])


@jit
def observe_games(rules: Rules, games: Games, at: Offsets, observations: Any, masks: Any) -> None:
    """Fills the observations and masks of all seats of every game, flat, with a block for each.

    The scratch of ``write_observations`` is the block's shared memory.
    """
    g = cuda.blockIdx.x
    vector = cuda.shared.array(0, int8)
    # Nothing may be written beyond the end of the game's part: another warp writes what follows.
    end = (g + 1) * (len(observations) // cuda.gridDim.x)
    end_of_masks = (g + 1) * (len(masks) // cuda.gridDim.x)
    write_observations(rules, games, g, at, vector, observations[:end])
    write_masks(rules, games, g, masks[:end_of_masks])


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
        lane = cuda.threadIdx.x
        if begins + lane < ends:
            target[start + lane] = source[begins + lane]
        begins += LANES
        start += LANES


IN_LANES = store_members, copy_slice
"""What takes the place of the functions of these names in ``wide_writes``."""

for _each in IN_LANES:
    replace(getattr(wide_writes, _each.__name__), _each)
