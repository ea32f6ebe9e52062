"""Observations, with a warp for each game, whose lanes write neighbouring bytes.

All lanes run the functions of ``mindup_env.observation`` together, each with the same values. What
writes many bytes at once there, on the CPU with wide registers, is divided among the lanes here.
"""

from typing import Any

from numba import int8

from mindup_env.cuda.support import SIMULATED, cuda, kernel, replace
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


def store_members(array: Any, start: Any, members: Any) -> None:
    cuda.syncwarp()
    for first in range(0, SET_SIZE, LANES):
        member = first + cuda.threadIdx.x
        array[start + member] = (members >> member) & 1


def store_word(array: Any, start: Any, word: Any) -> None:
    cuda.syncwarp()
    for first in range(0, WORD, LANES):
        place = first + cuda.threadIdx.x
        if place < WORD:
            array[start + place] = (word >> 8 * place) & 127


def copy_step(target: Any, start: Any, source: Any, begins: Any) -> None:
    cuda.syncwarp()
    for first in range(0, STEP, LANES):
        place = first + cuda.threadIdx.x
        target[start + place] = source[begins + place]


IN_LANES = (store_members, store_word, copy_step)
"""What takes the place of the functions of these names in ``wide_writes``."""

for _each in IN_LANES:
    replace(getattr(wide_writes, _each.__name__), _each)
