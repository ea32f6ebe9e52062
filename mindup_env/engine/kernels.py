"""The compiled functions that Python calls: each does one thing to every game of a batch."""

from typing import Annotated, NamedTuple

from mindup_env.engine.compiler import kernel, typed_once
from mindup_env.engine.conditions import objectives_met
from mindup_env.engine.dealing import deal, known_cards, set_up
from mindup_env.engine.results import is_over, rank
from mindup_env.engine.state import Games, Int8Array, Int64Array, Rules
from mindup_env.engine.turns import play_turn, score_objectives, take


class SeatFacts(NamedTuple):
    """What is computed from a game for every seat."""

    known: Annotated[Int64Array, "N", "num_players"]  # the sets of public hand cards
    # The sets of objectives, shown or not, that are met if the round ends now.
    met: Annotated[Int64Array, "N", "num_players"]
    ranks: Annotated[Int64Array, "N", "num_players"]  # by the points so far; 0 for a winner


@typed_once
@kernel
def deal_all(rules: Rules, games: Games) -> None:
    """Deals every game at random, as a function of its key alone."""
    for g in range(len(games.clock)):
        deal(rules, games, g)


@typed_once
@kernel
def set_up_all(rules: Rules, games: Games) -> None:
    """Sets every game to its first turn, with the deal that was written into it."""
    for g in range(len(games.clock)):
        set_up(rules, games, g)


@typed_once
@kernel
def play_all(rules: Rules, games: Games, cards: Int8Array) -> None:
    """Plays one turn of every game with legal ``cards`` (N, num_players)."""
    for g in range(len(games.clock)):
        play_turn(rules, games, g, cards)


@kernel
def lay_tableaux(rules: Rules, games: Games, tableaux: Int8Array, log_start: int) -> None:
    """Puts the cards (N, num_players, cards) of this round into the empty tableaux."""
    for g in range(len(games.clock)):
        round_ = rules.round_at[games.clock[g]]
        for seat in range(rules.num_players):
            for i in range(tableaux.shape[2]):
                take(rules, games, g, seat, tableaux[g, seat, i], round_, log_start + i)
        if is_over(rules, games, g):
            score_objectives(rules, games, g, round_)


@typed_once
@kernel
def fill_seat_facts(rules: Rules, games: Games, facts: SeatFacts) -> None:
    for g in range(len(games.clock)):
        for seat in range(rules.num_players):
            facts.known[g, seat] = known_cards(rules, games, g, seat)
            facts.met[g, seat] = objectives_met(rules, games, g, seat)
            facts.ranks[g, seat] = rank(rules, games, g, seat)
