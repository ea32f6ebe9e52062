"""A step of an environment, compiled: legality, a turn, rewards, the next deal, observations."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.buffers import FlatArrays, StepBuffers
from mindup_env.engine import bitset
from mindup_env.engine.compiler import also_compiled, called, compiled, kernel, scalar_kernel
from mindup_env.engine.dealing import choose_random_cards, count_episode, deal
from mindup_env.engine.kernels import BatchArrays, Keys
from mindup_env.engine.results import is_over, rank, round_score, total_score
from mindup_env.engine.state import Games, Int64Array, Rules
from mindup_env.engine.turns import play_turn
from mindup_env.observation.layout import Offsets
from mindup_env.observation.writer import observe, observe_masks
from mindup_env.rewards import RewardWeights

# What happened in a turn: flags that are added.
ILLEGAL, OVER = 1, 2

# What can be done to all games. Each command ends with what every seat sees now.
DEAL, PLAY, PLAY_AND_DEAL = range(3)

PENALTY = 1.0
"""An illegal action lowers the reward by this."""


class StepArguments(NamedTuple):
    """The arguments of ``run_command``, as plain tuples: all that a step reads and writes."""

    arrays: BatchArrays
    keys: Keys  # (N, 4)
    actions: Int64Array  # (N, num_players)
    weights: tuple[float, ...]  # what a step pays, of RewardWeights
    results: tuple[Any, ...]  # of StepBuffers
    offsets: tuple[int, ...]  # the places of the parts of an observation
    seen: FlatArrays  # what every seat sees
    final: FlatArrays  # what every seat saw before games that are over were dealt anew


@scalar_kernel
def observe_places(
    arrays: BatchArrays, places: Int64Array, offsets: tuple[int, ...], seen: FlatArrays
) -> None:
    """Fills the observations and masks of all seats of the games at ``places`` (n,)."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in places:
        observe_games(rules, games, g, g + 1, Offsets(*offsets), seen)


@scalar_kernel
def run_command(command: int, arguments: tuple[Any, ...]) -> int:
    """Does something to all games; returns what happened in them.

    Args:
        command: DEAL deals them by their keys. PLAY plays a turn; PLAY_AND_DEAL then writes the
            last observations and deals the next episodes, if games are over.
        arguments: the fields of StepArguments.
    """
    arrays, keys, actions, weights, results, offsets, seen, final = arguments
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    out, at, num_games = StepBuffers(*results), Offsets(*offsets), len(keys)
    happened = 0
    if command != DEAL:
        for g in range(num_games):
            happened |= play_game(rules, games, g, actions, RewardWeights(*weights), out)
    replaces = command == PLAY_AND_DEAL and happened & OVER != 0
    if replaces:
        observe_games(rules, games, 0, num_games, at, final)
    if replaces or command == DEAL:  # in one place, the long code of a deal is compiled once
        for g in range(num_games):
            if command == DEAL or is_over(rules, games, g):
                if command != DEAL:
                    count_episode(keys, g)
                deal(rules, games, g, keys[g])
    observe_games(rules, games, 0, num_games, at, seen)
    return happened


@kernel
def choose_at_random(arrays: BatchArrays, keys: Keys, actions: Int64Array) -> None:
    """Fills ``actions`` (N, num_players) with a random card of every hand."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in range(len(keys)):
        choose_random_cards(rules, games, g, keys[g], actions[g])


@called
def observe_games(
    rules: Rules, games: Games, first: int, last: int, at: Offsets, seen: FlatArrays
) -> None:
    """Writes what every seat sees of the games from ``first`` to ``last - 1``."""
    # Writes run ahead, but what is seen of the games from ``last`` on may have to stay.
    seats = last * rules.num_players
    observation, mask = seen[0][: seats * at.size], seen[1][: seats * len(rules.card_colours)]
    for g in range(first, last):
        observe(rules, games, g, at, seen[2], observation)
        observe_masks(rules, games, g, mask)


@compiled
def play_game(
    rules: Rules,
    games: Games,
    g: int,
    actions: npt.NDArray[np.integer],
    weights: RewardWeights,
    out: StepBuffers,
) -> int:
    """Plays a turn of game ``g`` if it is not over; returns what happened."""
    happened = 0
    clear(rules, g, out)
    if is_over(rules, games, g):
        out.over[g] = True
        finish_game(rules, games, g, out)
        return OVER  # a finished game does not change; its rewards are 0
    round_ = rules.round_at[games.clock[g]]
    for seat in range(rules.num_players):
        choose_legal(rules, games, g, seat, actions[g, seat], out)
        happened |= ILLEGAL * out.illegal[g, seat]
        out.gained[g, seat] = -round_score(games, g, round_, seat)
    play_turn(rules, games, g, out.cards)
    for seat in range(rules.num_players):
        out.gained[g, seat] += round_score(games, g, round_, seat)
    out.over[g] = is_over(rules, games, g)
    if out.over[g]:
        happened |= OVER
        finish_game(rules, games, g, out)
    reward_seats(rules, g, weights, out)
    return happened


@compiled
def choose_legal(
    rules: Rules, games: Games, g: int, seat: int, action: int, out: StepBuffers
) -> None:
    """Writes the card to play: that of the action, or the lowest of the hand if it is illegal."""
    in_range = 0 <= action < len(rules.card_colours)
    legal = in_range and bitset.contains(games.hands[g, seat], action)
    out.illegal[g, seat] = not legal
    out.cards[g, seat] = action if legal else bitset.lowest(games.hands[g, seat])


@compiled
def finish_game(rules: Rules, games: Games, g: int, out: StepBuffers) -> None:
    """Writes scores, ranks and win shares of a game that is over."""
    winners = 0
    for seat in range(rules.num_players):
        out.scores[g, seat] = total_score(rules, games, g, seat)
        out.ranks[g, seat] = rank(rules, games, g, seat)
        winners += out.ranks[g, seat] == 0
    for seat in range(rules.num_players):
        out.win_share[g, seat] = 1 / winners if out.ranks[g, seat] == 0 else 0


@compiled
def clear(rules: Rules, g: int, out: StepBuffers) -> None:
    """Removes the results of the turn before, and what a user wrote into them."""
    out.truncated[g] = False
    for seat in range(rules.num_players):
        out.illegal[g, seat] = False
        out.gained[g, seat] = 0
        out.scores[g, seat] = 0
        out.ranks[g, seat] = 0
        out.win_share[g, seat] = 0
        out.rewards[g, seat] = 0


@also_compiled
def product(first: float, second: float) -> float:
    """A product that is rounded before it is used: a GPU adds to it with one rounding for both."""
    return first * second


@compiled
def reward_seats(rules: Rules, g: int, weights: RewardWeights, out: StepBuffers) -> None:
    """Writes the rewards of a turn, lowered by the penalty of an illegal action.

    Everything is a float64 until it is written, with and without the compiler and on a GPU: so the
    rewards are the same to the last bit.
    """
    players = rules.num_players
    gained_by_all = 0.0
    for seat in range(players):
        gained_by_all += float(out.gained[g, seat])
    for seat in range(players):
        gained = float(out.gained[g, seat])
        others_mean = (gained_by_all - gained) / (players - 1)
        reward = product(weights.score, gained) + product(weights.margin, gained - others_mean)
        if out.over[g]:
            reward += product(weights.win, float(out.win_share[g, seat]) - 1 / players)
        out.rewards[g, seat] = reward - PENALTY * out.illegal[g, seat]
