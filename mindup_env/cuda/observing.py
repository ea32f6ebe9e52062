"""Observations, with a warp for each game, whose lanes write neighbouring bytes.

All lanes run the functions of ``mindup_env.observation`` together, each with the same values. What
writes many bytes at once there, on the CPU with wide registers, is divided among the lanes here.
"""

from typing import Any

from numba import int8

from mindup_env.cuda.support import SIMULATED, cuda, function, kernel
from mindup_env.engine.state import Games, Rules
from mindup_env.observation import wide_writes
from mindup_env.observation.layout import Offsets
from mindup_env.observation.wide_writes import SET_SIZE, STEP, WORD
from mindup_env.observation.writer import observe, observe_masks

LANES = 1 if SIMULATED else 32
"""The threads of a block, a warp. The simulator runs a thread at a time, so one is as good."""


@kernel
def observe_games(arrays: Any, offsets: Any, seen: Any) -> None:
    """Fills the observations and masks of all seats of every game, flat, with a block for each.

    The scratch of ``observe`` is the block's shared memory.
    """
    g = cuda.blockIdx.x
    rules, games = Rules(*arrays[0]), only_game(Games(*arrays[1]), g)
    observations, masks = seen
    size, mask_size = len(observations) // cuda.gridDim.x, len(masks) // cuda.gridDim.x
    vector = cuda.shared.array(0, int8)
    # No write may go beyond the end of the game's part: another warp writes what follows.
    own, own_masks = observations[g * size : (g + 1) * size], masks[g * mask_size :][:mask_size]
    observe(rules, games, 0, Offsets(*offsets), vector, own)
    observe_masks(rules, games, 0, own_masks)


@function
def only_game(games: Any, g: Any) -> Any:
    """A batch of game ``g`` alone, which shares its arrays."""
    return Games(
        games.deck[g : g + 1],
        games.score_cards[g : g + 1],
        games.objectives[g : g + 1],
        games.clock[g : g + 1],
        games.start_turn[g : g + 1],
        games.hands[g : g + 1],
        games.tableaux[g : g + 1],
        games.columns[g : g + 1],
        games.row[g : g + 1],
        games.points[g : g + 1],
        games.played[g : g + 1],
        games.taken[g : g + 1],
    )


# Each begins when all lanes have done what comes before: so what a write runs ahead is written
# over afterwards, and what a lane reads is there.


def store_members(array: Any, start: Any, members: Any) -> None:
    cuda.syncwarp()
    for member in range(cuda.threadIdx.x, SET_SIZE, LANES):
        array[start + member] = (members >> member) & 1


def store_word(array: Any, start: Any, word: Any) -> None:
    cuda.syncwarp()
    for place in range(cuda.threadIdx.x, WORD, LANES):
        array[start + place] = (word >> 8 * place) & 127


def copy_step(target: Any, start: Any, source: Any, begins: Any) -> None:
    cuda.syncwarp()
    for place in range(cuda.threadIdx.x, STEP, LANES):
        target[start + place] = source[begins + place]


IN_LANES = (store_members, store_word, copy_step)
"""What takes the place of the functions of these names in ``wide_writes``."""


def _overload(in_lanes: Any) -> None:
    replaced = getattr(wide_writes, in_lanes.__name__)
    cuda.extending.overload(replaced, target="cuda", strict=False)(lambda *_arguments: in_lanes)


if not SIMULATED:
    for _each in IN_LANES:
        _overload(_each)
