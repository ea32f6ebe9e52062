"""Kernels with a thread for each game, and one with a warp. Each calls what the CPU calls.

The lanes of a warp run the functions of ``mindup_env.observation`` together, each with the same
values. What writes many bytes at once there, on the CPU with wide registers, is divided among the
lanes, which write neighbouring bytes.
"""

from typing import Any

from numba import int8

from mindup_env.batch_env.buffers import StepBuffers
from mindup_env.batch_env.kernels import ILLEGAL, play_game, product
from mindup_env.cuda.support import SIMULATED, cuda, kernel, replace
from mindup_env.engine.dealing import choose_random_cards, count_episode, deal, deal_next
from mindup_env.engine.kernels import copy_entries, copy_game, play_game_at_random
from mindup_env.engine.results import is_over
from mindup_env.engine.state import Games, Rules
from mindup_env.observation import wide_writes
from mindup_env.observation.layout import Offsets
from mindup_env.observation.wide_writes import SET_SIZE, WORD
from mindup_env.observation.writer import observe, observe_masks, write_state
from mindup_env.rewards import RewardWeights

LANES = 1 if SIMULATED else 32
"""The threads of a warp. The simulator runs a thread at a time, so one is as good."""


def rounded_product(first: float, second: float) -> Any:
    return cuda.libdevice.dmul_rn(first, second)


replace(product, rounded_product)


DEAL_BY_KEYS, DEAL_NEXT, DEAL_FINISHED = range(3)


@kernel
def deal_games(arrays: Any, keys: Any, how: int) -> None:
    """Deals games at random, as functions of their keys (N, 4) alone.

    ``how`` says which: all games by their keys, the next episode of all, or of those that are over.
    """
    g = cuda.grid(1)
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    if g < len(games.clock) and (how != DEAL_FINISHED or is_over(rules, games, g)):
        if how != DEAL_BY_KEYS:
            count_episode(keys[0], g)
        deal(rules, games, g, keys[0][g])


@kernel
def play_turns(arrays: Any, given: Any, weights: Any, buffers: Any, step: Any) -> None:
    """Plays a turn of every game that is not over.

    Args:
        arrays: the fields of Rules and Games.
        given: the actions (N, num_players), of any integer type, in a tuple.
        weights: the fields of RewardWeights.
        buffers: the fields of StepBuffers.
        step: the actions as int64 (N, num_players), which are written, and the number of illegal
            ones since the environment was made (1,).
    """
    g = cuda.grid(1)
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    out, (actions, num_illegal) = StepBuffers(*buffers), step
    if g < len(games.clock):
        for seat in range(rules.num_players):
            actions[g, seat] = given[0][g, seat]
        happened = play_game(rules, games, g, actions, RewardWeights(*weights), out)
        if happened & ILLEGAL:
            for seat in range(rules.num_players):
                if out.illegal[g, seat]:
                    cuda.atomic.add(num_illegal, 0, 1)


@kernel
def play_at_random(arrays: Any, keys: Any, cards: Any) -> None:
    """Plays a uniformly random turn of every game, and deals the next episode of finished games."""
    g = cuda.grid(1)
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    if g < len(games.clock):
        if is_over(rules, games, g):  # put there so: it has no hands to choose from
            deal_next(rules, games, g, keys[0])
        else:
            play_game_at_random(rules, games, g, keys[0], cards[0])


@kernel
def choose_at_random(arrays: Any, keys: Any, actions: Any) -> None:
    """Fills ``actions`` (N, num_players) with a random card of every hand."""
    g = cuda.grid(1)
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    if g < len(games.clock):
        choose_random_cards(rules, games, g, keys[0][g], actions[0][g])


@kernel
def copy_games(source: Any, places: Any, target: Any, new_places: Any) -> None:
    """Copies the games at ``places`` (n,), with their keys, to ``new_places`` (n,) of others.

    Source and target are the fields of Games, and the keys (N, 4).
    """
    i = cuda.grid(1)
    if i < len(places[0]):
        place, new_place = places[0][i], new_places[0][i]
        copy_game(Games(*source[0]), place, Games(*target[0]), new_place)
        copy_entries(source[1][place], target[1][new_place])


@kernel
def write_states(seen: Any, states: Any) -> None:
    """Fills the states (N, views, size) from observations (N, P, D) and masks (N, P, num_cards)."""
    i = cuda.grid(1)
    views = states[0].shape[1]
    g, view = i // views, i % views
    if g < states[0].shape[0]:
        write_state(seen[0][g, view], seen[1][g], view, states[0][g, view])


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


def copy_slice(source: Any, begins: Any, ends: Any, target: Any, start: Any) -> None:
    while begins < ends:
        cuda.syncwarp()
        place = cuda.threadIdx.x
        if begins + place < ends:
            target[start + place] = source[begins + place]
        begins += LANES
        start += LANES


IN_LANES = (store_members, store_word, copy_slice)
"""What takes the place of the functions of these names in ``wide_writes``."""

for _each in IN_LANES:
    replace(getattr(wide_writes, _each.__name__), _each)
