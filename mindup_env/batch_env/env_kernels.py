"""A step of an environment: legality, a turn, points, the end, the next deal, what is seen."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.dealing import deal
from mindup_env.engine.kernels import BatchArrays, Keys
from mindup_env.engine.results import is_over, rank, round_score
from mindup_env.engine.state import Games, Int8Array, Int64Array, Rules
from mindup_env.engine.turns import play_turn
from mindup_env.observation.layout import Offsets
from mindup_env.observation.writer import observe, observe_masks
from mindup_env.rewards import Payment

PENALTY = 1.0
"""What an illegal action costs."""


class Buffers(NamedTuple):
    """What a turn writes, allocated once."""

    cards: Int8Array  # (N, num_players) the cards that were played
    illegal: npt.NDArray[np.bool_]  # (N, num_players) where that is not the card asked for
    gained: npt.NDArray[np.float32]  # (N, num_players) points
    over: npt.NDArray[np.bool_]  # (N,)
    scores: npt.NDArray[np.int32]  # (N, num_players) of the games that ended; else 0
    ranks: npt.NDArray[np.int32]  # (N, num_players) of the games that ended, 0 for a winner; else 0
    win_share: npt.NDArray[np.float32]  # (N, num_players) of the games that ended; else 0
    rewards: npt.NDArray[np.float32]  # (N, num_players)


def make_buffers(config: GameConfig, num_games: int) -> Buffers:
    seats = num_games, config.num_players
    return Buffers(
        cards=np.zeros(seats, np.int8),
        illegal=np.zeros(seats, np.bool_),
        gained=np.zeros(seats, np.float32),
        over=np.zeros(num_games, np.bool_),
        scores=np.zeros(seats, np.int32),
        ranks=np.zeros(seats, np.int32),
        win_share=np.zeros(seats, np.float32),
        rewards=np.zeros(seats, np.float32),
    )


@kernel
def observe_all(
    arrays: BatchArrays, offsets: tuple[int, ...], observation: Int8Array, action_mask: Int8Array
) -> None:
    """Fills the observations (N, num_players, size) and masks of every game as it stands."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    at = Offsets(*offsets)
    for g in range(len(games.clock)):
        observe(rules, games, g, at, observation[g])
        observe_masks(rules, games, g, action_mask[g])


@kernel
def first_illegal(arrays: BatchArrays, actions: Int64Array) -> int:
    """Where, counted along (N, num_players), the first action is that may not be played; or -1."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in range(len(games.clock)):
        for seat in range(rules.num_players):
            if games.hands[g, seat] != 0 and not is_legal(rules, games, g, seat, actions[g, seat]):
                return g * rules.num_players + seat
    return -1


@kernel
def play_turns(
    arrays: BatchArrays, actions: Int64Array, payment: tuple[float, ...], buffers: tuple[Any, ...]
) -> tuple[bool, bool]:
    """Plays a turn of every game that is not over.

    Says whether an action was illegal, and whether a game is over.
    """
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    out, pays = Buffers(*buffers), Payment(*payment)
    any_illegal = any_over = False
    for g in range(len(games.clock)):
        clear(rules, g, out)
        if is_over(rules, games, g):
            any_over = True
            finish_game(rules, games, g, out)
            continue  # it stands still, and brings nobody anything
        round_ = rules.round_at[games.clock[g]]
        for seat in range(rules.num_players):
            choose_legal(rules, games, g, seat, actions[g, seat], out)
            any_illegal |= out.illegal[g, seat]
            out.gained[g, seat] = -round_score(games, g, round_, seat)
        play_turn(rules, games, g, out.cards)
        for seat in range(rules.num_players):
            out.gained[g, seat] += round_score(games, g, round_, seat)
        out.over[g] = is_over(rules, games, g)
        if out.over[g]:
            any_over = True
            finish_game(rules, games, g, out)
        pay(rules, g, pays, out)
    return any_illegal, any_over


@kernel
def redeal_finished(arrays: BatchArrays, keys: Keys) -> None:
    """Where a game is over its next episode is dealt."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in range(len(games.clock)):
        if is_over(rules, games, g):
            keys[g, streams.EPISODE] += np.uint64(1)
            deal(rules, games, g, keys[g])


@compiled
def is_legal(rules: Rules, games: Games, g: int, seat: int, action: int) -> bool:
    in_range = 0 <= action < len(rules.card_colours)
    return in_range and bitset.contains(games.hands[g, seat], action)


@compiled
def choose_legal(rules: Rules, games: Games, g: int, seat: int, action: int, out: Buffers) -> None:
    """The card asked for, or else the lowest of the hand."""
    legal = is_legal(rules, games, g, seat, action)
    out.illegal[g, seat] = not legal
    out.cards[g, seat] = action if legal else bitset.lowest(games.hands[g, seat])


@compiled
def finish_game(rules: Rules, games: Games, g: int, out: Buffers) -> None:
    winners = 0
    for seat in range(rules.num_players):
        total = 0
        for round_ in range(rules.num_rounds):
            total += round_score(games, g, round_, seat)
        out.scores[g, seat] = total
        out.ranks[g, seat] = rank(rules, games, g, seat)
        winners += out.ranks[g, seat] == 0
    for seat in range(rules.num_players):
        out.win_share[g, seat] = 1 / winners if out.ranks[g, seat] == 0 else 0


@compiled
def clear(rules: Rules, g: int, out: Buffers) -> None:
    """Nothing of an earlier turn or game may be taken for one of this turn."""
    for seat in range(rules.num_players):
        out.illegal[g, seat] = False
        out.gained[g, seat] = 0
        out.scores[g, seat] = 0
        out.ranks[g, seat] = 0
        out.win_share[g, seat] = 0
        out.rewards[g, seat] = 0


@compiled
def pay(rules: Rules, g: int, pays: Payment, out: Buffers) -> None:
    """The rewards of a turn; an illegal action costs its penalty on top."""
    players = rules.num_players
    gained_by_all = np.float32(0)
    for seat in range(players):
        gained_by_all += out.gained[g, seat]
    for seat in range(players):
        gained = out.gained[g, seat]
        others_mean = (gained_by_all - gained) / (players - 1)
        reward = pays.score * gained + pays.margin * (gained - others_mean)
        if out.over[g]:
            reward += pays.win * (out.win_share[g, seat] - 1 / players)
        out.rewards[g, seat] = reward - PENALTY * out.illegal[g, seat]
