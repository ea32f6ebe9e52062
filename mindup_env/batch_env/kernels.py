"""What Python calls to step, deal and observe the games of a batch, compiled.

As in ``engine.kernels``, the arguments are plain tuples of the fields of named tuples.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.engine import bitset
from mindup_env.engine.compiler import also_compiled, called, compiled, kernel, scalar_kernel
from mindup_env.engine.dealing import choose_random_cards, deal
from mindup_env.engine.kernels import BatchArrays, Keys
from mindup_env.engine.results import is_over, rank, round_score, total_score
from mindup_env.engine.state import Games, Int8Array, Int64Array, Rules
from mindup_env.engine.turns import play_turn
from mindup_env.observation.layout import Offsets
from mindup_env.observation.writer import observe, observe_masks
from mindup_env.rewards import RewardWeights

PENALTY = 1.0
"""An illegal action lowers the reward by this."""


class StepBuffers(NamedTuple):
    """The results of a turn."""

    cards: Annotated[Int8Array, "N", "num_players"]  # that were played
    illegal: Annotated[npt.NDArray[np.bool_], "N", "num_players"]  # where the action was not legal
    gained: Annotated[npt.NDArray[np.float32], "N", "num_players"]  # points gained in the turn
    over: Annotated[npt.NDArray[np.bool_], "N"]
    truncated: Annotated[npt.NDArray[np.bool_], "N"]  # always false
    # Of games that are over; else 0. The rank of a winner is 0.
    scores: Annotated[npt.NDArray[np.int32], "N", "num_players"]
    ranks: Annotated[npt.NDArray[np.int32], "N", "num_players"]
    win_share: Annotated[npt.NDArray[np.float32], "N", "num_players"]
    rewards: Annotated[npt.NDArray[np.float32], "N", "num_players"]  # of all games


FlatSeen = tuple[Int8Array, Int8Array, Int8Array]
"""What every seat of N games sees: the observations (N * num_players * size,), the masks (N *
num_players * num_cards,), and scratch for one vector."""


@scalar_kernel
def play_turns(
    arrays: BatchArrays,
    actions: Int64Array,
    refuses: bool,  # noqa: FBT001  # Numba reads arguments by their places faster
    weights: tuple[float, ...],
    results: tuple[Any, ...],
    offsets: tuple[int, ...],
    seen: tuple[FlatSeen, FlatSeen],
) -> tuple[bool, bool]:
    """Plays a turn of every game that is not over, and writes what every seat sees then.

    The tuples are RewardWeights, StepBuffers, which are written, and Offsets. If ``refuses``,
    nothing is played if an action is illegal. What is seen is written into the first of ``seen``
    if no game is over, and else into the second.

    Returns:
        Whether a game is over, and whether an action was illegal.
    """
    rules, games, out = Rules(*arrays[0]), Games(*arrays[1]), StepBuffers(*results)
    any_over = any_illegal = False
    if refuses and not all_legal(rules, games, actions, out):
        return False, True
    for g in range(len(games.clock)):
        play_game(rules, games, g, actions, RewardWeights(*weights), out)
        any_over |= out.over[g]
        for seat in range(rules.num_players):
            any_illegal |= out.illegal[g, seat]
    written = seen[1] if any_over else seen[0]
    observe_games(rules, games, 0, len(games.clock), Offsets(*offsets), written)
    return any_over, any_illegal


@scalar_kernel
def deal_games(arrays: BatchArrays, keys: Keys, places: Int64Array) -> None:
    """Deals the games at ``places`` (n,) by their keys."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in places:
        deal(rules, games, g, keys[g])


@scalar_kernel
def observe_places(
    arrays: BatchArrays, places: Int64Array, offsets: tuple[int, ...], seen: FlatSeen
) -> None:
    """Writes what the seats of the games at ``places`` (n,) see."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in places:
        observe_games(rules, games, g, g + 1, Offsets(*offsets), seen)


@kernel
def choose_at_random(arrays: BatchArrays, keys: Keys, actions: Int64Array) -> None:
    """Fills ``actions`` (N, num_players) with a random card of every hand."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in range(len(keys)):
        choose_random_cards(rules, games, g, keys[g], actions[g])


@called
def observe_games(
    rules: Rules, games: Games, first: int, last: int, at: Offsets, seen: FlatSeen
) -> None:
    """Writes what every seat sees of the games from ``first`` to ``last - 1``."""
    # Writes run ahead, but what is seen of the games from ``last`` on may have to stay.
    seats = last * rules.num_players
    observation = seen[0][: seats * at.size]
    masks = seen[1][: seats * len(rules.card_colours)]
    for g in range(first, last):
        observe(rules, games, g, at, seen[2], observation)
        observe_masks(rules, games, g, masks)


@compiled
def play_game(
    rules: Rules,
    games: Games,
    g: int,
    actions: npt.NDArray[np.integer],
    weights: RewardWeights,
    out: StepBuffers,
) -> None:
    """Plays a turn of game ``g``. A game that is over does not change; its rewards are 0."""
    round_ = rules.round_at[games.clock[g]]
    is_played = not is_over(rules, games, g)
    for seat in range(rules.num_players):
        choose_legal(rules, games, g, seat, actions[g, seat], out)
        out.gained[g, seat] = -round_score(games, g, round_, seat)
    if is_played:
        play_turn(rules, games, g, out.cards)
    for seat in range(rules.num_players):
        out.gained[g, seat] += round_score(games, g, round_, seat)
    write_results(rules, games, g, out)
    if is_played:
        reward_seats(rules, g, weights, out)
    else:
        out.rewards[g] = 0


@called
def all_legal(rules: Rules, games: Games, actions: Int64Array, out: StepBuffers) -> bool:
    """Whether all actions are legal, where a game is not over; marks those that are not."""
    any_illegal = False
    for g in range(len(games.clock)):
        for seat in range(rules.num_players):
            choose_legal(rules, games, g, seat, actions[g, seat], out)
            any_illegal |= out.illegal[g, seat]
    return not any_illegal


@compiled
def choose_legal(
    rules: Rules, games: Games, g: int, seat: int, action: int, out: StepBuffers
) -> None:
    """Writes the card to play: that of the action, or the lowest of the hand if it is illegal."""
    hand = games.hands[g, seat]
    in_range = 0 <= action < len(rules.card_colours)
    legal = in_range and bitset.contains(hand, action)
    out.illegal[g, seat] = hand != 0 and not legal  # without a hand, the game is over
    if hand != 0:
        out.cards[g, seat] = action if legal else bitset.lowest(hand)


@compiled
def write_results(rules: Rules, games: Games, g: int, out: StepBuffers) -> None:
    """Writes whether game ``g`` is over, and then scores, ranks and win shares; else 0.

    If the game was not over before, they are 0 already.
    """
    over = is_over(rules, games, g)
    was_over = out.over[g]
    out.over[g] = over
    if not over and not was_over:
        return
    winners = 0
    for seat in range(rules.num_players):
        out.scores[g, seat] = total_score(rules, games, g, seat) if over else 0
        out.ranks[g, seat] = rank(rules, games, g, seat) if over else 0
        winners += out.ranks[g, seat] == 0
    for seat in range(rules.num_players):
        out.win_share[g, seat] = 1 / winners if over and out.ranks[g, seat] == 0 else 0


@also_compiled
def product(first: float, second: float) -> float:
    """A product that is rounded before it is used: a GPU adds to it with one rounding for both."""
    return first * second


@compiled
def reward_seats(rules: Rules, g: int, weights: RewardWeights, out: StepBuffers) -> None:
    """Writes the rewards of a turn, lowered by the penalty of an illegal action.

    Everything is a float64 until it is written, so that rewards are the same to the last bit
    without the compiler and on a GPU.
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
