"""A step of many games, compiled."""

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.engine import bitset
from mindup_env.engine.compiler import also_compiled, compiled, kernel, scalar_kernel, typed_once
from mindup_env.engine.dealing import choose_random_cards, deal
from mindup_env.engine.results import is_over, rank, round_score, total_score
from mindup_env.engine.state import NUM_PARTS, Games, Int8Array, Int64Array, Rules
from mindup_env.engine.turns import play_turn
from mindup_env.observation.seen import SeenArrays, observe_games
from mindup_env.rewards import RewardWeights

BoolArray = npt.NDArray[np.bool_]

PENALTY = 1.0
"""An illegal action lowers the reward by this."""


class StepBuffers(NamedTuple):
    """What a turn is played with, and its results."""

    actions: Annotated[Int64Array, "N", "num_players"]
    cards: Annotated[Int8Array, "N", "num_players"]  # that were played
    illegal: Annotated[BoolArray, "N", "num_players"]  # where the action was not legal
    gained: Annotated[npt.NDArray[np.float32], "N", "num_players"]  # points gained in the turn
    over: Annotated[BoolArray, "N"]
    truncated: Annotated[BoolArray, "N"]  # always false
    # The colour, bonus and objective points of a round that the turn ended; else 0.
    round_over: Annotated[BoolArray, "N", "num_players"]
    round_score: Annotated[Int8Array, "N", "num_players", NUM_PARTS]
    # Of games that are over; else 0. The rank of a winner is 0.
    score: Annotated[npt.NDArray[np.int32], "N", "num_players"]
    rank: Annotated[npt.NDArray[np.int32], "N", "num_players"]
    win_share: Annotated[npt.NDArray[np.float32], "N", "num_players"]
    rewards: Annotated[npt.NDArray[np.float32], "N", "num_players"]  # of all games


@typed_once
@scalar_kernel
def play_turns(
    rules: Rules,
    games: Games,
    weights: RewardWeights,
    buffers: StepBuffers,
    seen: SeenArrays,
    last_seen: SeenArrays,
) -> tuple[bool, bool, bool]:
    """Plays a turn of every game that is not over, and writes what every seat sees then.

    What is seen is written into ``last_seen`` if a game is over, and else into ``seen``.

    Returns:
        Whether an action was illegal, and whether a round or a game ended.
    """
    any_illegal = any_round_over = any_over = False
    for g in range(len(games.clock)):
        play_game(rules, games, g, weights, buffers)
        any_round_over |= buffers.round_over[g, 0]
        any_over |= buffers.over[g]
        for seat in range(rules.num_players):
            any_illegal |= buffers.illegal[g, seat]
    observe_games(rules, games, 0, len(games.clock), last_seen if any_over else seen)
    return any_illegal, any_round_over, any_over


@typed_once
@scalar_kernel
def deal_marked(rules: Rules, games: Games, marked: BoolArray, seen: SeenArrays) -> None:
    """Deals the games that are ``marked`` (N,) by their keys, and writes what every seat sees."""
    for g in range(len(marked)):
        if marked[g]:
            deal(rules, games, g)
    observe_games(rules, games, 0, len(marked), seen)


@typed_once
@kernel
def choose_at_random(rules: Rules, games: Games, actions: Int64Array) -> None:
    """Fills ``actions`` (N, num_players) with a random card of every hand."""
    for g in range(len(actions)):
        choose_random_cards(rules, games, g, actions[g])


@compiled
def play_game(rules: Rules, games: Games, g: int, weights: RewardWeights, out: StepBuffers) -> None:
    """Plays a turn of game ``g``. A game that is over does not change; its rewards are 0."""
    round_ = rules.round_at[games.clock[g]]
    is_played = not is_over(rules, games, g)
    for seat in range(rules.num_players):
        choose_legal(rules, games, g, seat, out)
        out.gained[g, seat] = -round_score(games, g, round_, seat)
    ends_round = is_played and play_turn(rules, games, g, out.cards)
    for seat in range(rules.num_players):
        out.gained[g, seat] += round_score(games, g, round_, seat)
    if ends_round or out.round_over[g, 0]:
        write_round(games, g, round_, ends_round, out)
    write_results(rules, games, g, out)
    if is_played:
        reward_seats(rules, g, weights, out)
    else:
        out.rewards[g] = 0


@compiled
def choose_legal(rules: Rules, games: Games, g: int, seat: int, out: StepBuffers) -> None:
    """Writes the card to play: that of the action, or the lowest of the hand if it is illegal."""
    action = out.actions[g, seat]
    hand = games.hands[g, seat]
    in_range = 0 <= action < len(rules.card_colours)
    legal = in_range and bitset.contains(hand, action)
    out.illegal[g, seat] = hand != 0 and not legal  # without a hand, the game is over
    if hand != 0:
        out.cards[g, seat] = action if legal else bitset.lowest(hand)


@compiled
def write_round(games: Games, g: int, round_: int, over: int, out: StepBuffers) -> None:
    """Writes whether the turn ended the round, and then its points; else 0."""
    for seat in range(out.round_over.shape[1]):
        out.round_over[g, seat] = over
        for part in range(NUM_PARTS):
            out.round_score[g, seat, part] = games.points[g, round_, seat, part] if over else 0


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
        out.score[g, seat] = total_score(rules, games, g, seat) if over else 0
        out.rank[g, seat] = rank(rules, games, g, seat) if over else 0
        winners += out.rank[g, seat] == 0
    for seat in range(rules.num_players):
        out.win_share[g, seat] = 1 / winners if over and out.rank[g, seat] == 0 else 0


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
