"""The compiled functions that Python calls: each does one thing to every game of a batch.

They take the rules and the games as plain tuples: Numba recognises the type of each argument at
every call, which takes four times as long for named tuples.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.engine import streams
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.conditions import objectives_met
from mindup_env.engine.dealing import choose_random_cards, deal, known_cards, set_up
from mindup_env.engine.results import is_over, rank
from mindup_env.engine.state import Games, Int8Array, Int64Array, Rules
from mindup_env.engine.turns import play_turn, score_objectives, take

BatchArrays = tuple[tuple[Any, ...], tuple[Any, ...]]  # the fields of Rules and of Games
Keys = npt.NDArray[np.uint64]  # (N, 4) seed, slot, episode and agent seed of each game


@kernel
def deal_all(arrays: BatchArrays, keys: Keys) -> None:
    """Deals every game at random, as a function of its key alone."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in range(len(games.clock)):
        deal(rules, games, g, keys[g])


@kernel
def set_up_all(arrays: BatchArrays) -> None:
    """Sets every game to its first turn, with the deal that was written into it."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in range(len(games.clock)):
        set_up(rules, games, g)


@kernel
def play_all(arrays: BatchArrays, cards: Int8Array) -> None:
    """Plays one turn of every game with legal ``cards`` (N, num_players)."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in range(len(games.clock)):
        play_turn(rules, games, g, cards)


@kernel
def lay_tableaux(arrays: BatchArrays, tableaux: Int8Array, log_start: int) -> None:
    """Puts the cards (N, num_players, cards) of this round into the empty tableaux."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in range(len(games.clock)):
        round_ = rules.round_at[games.clock[g]]
        for seat in range(rules.num_players):
            for place in range(tableaux.shape[2]):
                take(rules, games, g, seat, tableaux[g, seat, place], round_, log_start + place)
        if is_over(rules, games, g):
            score_objectives(rules, games, g, round_)


@kernel
def read_seats(arrays: BatchArrays, known: Int64Array, met: Int64Array, ranks: Int64Array) -> None:
    """Fills the arrays (N, num_players) for every seat.

    They are the sets of public hand cards, the sets of objectives, shown or not, that are met if
    the round ends now, and the ranks by the points so far; 0 for a winner.
    """
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in range(len(games.clock)):
        for seat in range(rules.num_players):
            known[g, seat] = known_cards(rules, games, g, seat)
            met[g, seat] = objectives_met(rules, games, g, seat)
            ranks[g, seat] = rank(rules, games, g, seat)


@kernel
def play_at_random(arrays: BatchArrays, keys: Keys, cards: Int8Array) -> None:
    """Plays a uniformly random turn of every game, and deals the next episode of finished games."""
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    for g in range(len(games.clock)):
        play_game_at_random(rules, games, g, keys, cards)


@compiled
def play_game_at_random(rules: Rules, games: Games, g: int, keys: Keys, cards: Int8Array) -> None:
    if not is_over(rules, games, g):
        choose_random_cards(rules, games, g, keys[g], cards[g])
        play_turn(rules, games, g, cards)
    if is_over(rules, games, g):
        keys[g, streams.EPISODE] += np.uint64(1)
        deal(rules, games, g, keys[g])
