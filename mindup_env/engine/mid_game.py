"""The first turn of a game that begins in the middle, read from its log and checked; compiled."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.dealing import drawn_card
from mindup_env.engine.results import round_score
from mindup_env.engine.state import Games, Rules
from mindup_env.engine.turns import score_objectives, take

POSSIBLE = -1
NO_SET = -1
DECK, HANDS, POINTS, PLAYED, TAKEN = map(
    Games._fields.index, ("deck", "hands", "points", "played", "taken")
)

ScoreBounds = tuple[int, int]


class Beginning(NamedTuple):
    """Where a game begins, in turns and log entries since its deal."""

    round_: int
    turn: int
    last_turn: int  # the turn with which the round ends
    left: int  # number of cards in each hand
    log_start: int  # the first log entry of the round
    log_end: int  # the log entry of the next prize taken


@compiled
def beginning_of(rules: Rules, turn: int) -> Beginning:
    is_end = turn == rules.num_turns
    round_ = int(rules.round_at[turn])
    turns = rules.hand_size + round_ - 1  # of this round
    before = turns if is_end else int(rules.turn_at[turn])
    log_start = turn - before + round_  # each round before has one entry more than turns
    # With the last turn of the game, all take the card left over too.
    left, taken = (0, turns + 1) if is_end else (turns + 1 - before, before)
    last_turn = turn - before + turns
    return Beginning(round_, turn, last_turn, left, log_start, log_start + taken)


@compiled
def begin(rules: Rules, games: Games, g: int, again: int, score_bounds: ScoreBounds) -> int:
    """Sets game ``again``, in which the same deal is set up, to the first turn of game ``g``.

    Returns POSSIBLE, or the field of game ``g`` that is wrong.
    """
    at = beginning_of(rules, int(games.start_turn[g]))
    row = set_of_cards(rules, games.played[g, at.turn - 1])
    if row == NO_SET:
        return PLAYED
    wrong = read_players(rules, games, g, again, at, row)
    if wrong != POSSIBLE:
        return wrong
    for earlier in range(at.round_):
        for seat in range(rules.num_players):
            if not score_bounds[0] <= round_score(games, g, earlier, seat) <= score_bounds[1]:
                return POINTS
            copy_entries(games.points[g, earlier, seat], games.points[again, earlier, seat])
    games.clock[again] = games.start_turn[again] = at.turn
    copy_entries(games.played[g, at.turn - 1], games.played[again, at.turn - 1])
    for place in range(rules.num_players):
        games.row[again, place] = bitset.nth_lowest(row, place)
    for entry in range(at.log_start, at.log_end):
        for seat in range(rules.num_players):
            take(rules, games, again, seat, games.taken[g, entry, seat], at.round_, entry)
    if at.left == 0:
        score_objectives(rules, games, again, at.round_)
    return POSSIBLE


@compiled
def read_players(rules: Rules, games: Games, g: int, again: int, at: Beginning, row: int) -> int:
    """Reads the first hands, and checks that each card drawn so far is in one place."""
    cards, number = row, rules.num_players
    for seat in range(rules.num_players):
        played = games.played[g, at.turn : min(at.last_turn, games.clock[g]), seat]
        hand = unite(set_of_cards(rules, played), cards_kept(rules, games, g, seat, at))
        if hand == NO_SET or bitset.size(hand) != at.left:
            return HANDS
        tableau = set_of_cards(rules, games.taken[g, at.log_start : at.log_end, seat])
        if tableau == NO_SET:
            return TAKEN
        games.hands[again, seat] = hand
        cards |= hand | tableau
        number += at.left + at.log_end - at.log_start
    drawn = set_of_cards(rules, games.deck[g, :number])
    return POSSIBLE if cards == drawn and draws_fit(rules, games, again, at) else DECK


@compiled
def cards_kept(rules: Rules, games: Games, g: int, seat: int, at: Beginning) -> int:
    """The cards of a first hand that game ``g`` has not played: in the hand, or left over."""
    if games.clock[g] < at.last_turn:
        hand = games.hands[g, seat]
        return hand if 0 <= hand < bitset.one(len(rules.card_colours)) else NO_SET
    if at.left == 0:
        return 0
    left_over = at.last_turn + at.round_
    return set_of_cards(rules, games.taken[g, left_over : left_over + 1, seat])


@compiled
def draws_fit(rules: Rules, games: Games, g: int, at: Beginning) -> bool:
    """Whether no player holds the card that another one drew for this round."""
    if at.round_ == 0:
        return True
    for seat in range(rules.num_players):
        drawn = drawn_card(rules, games, g, seat, at.round_)
        others = 0
        for other in range(rules.num_players):
            others |= games.hands[g, other] if other != seat else 0
        is_first_turn = at.log_end == at.log_start
        if bitset.contains(others, drawn):
            return False
        if is_first_turn and not bitset.contains(games.hands[g, seat], drawn):
            return False
    return True


@compiled
def set_of_cards(rules: Rules, cards: npt.NDArray[np.int8]) -> int:
    """The set of some cards; NO_SET if one is repeated, or is no card."""
    members = 0
    for card in cards:
        if not 0 <= card < len(rules.card_colours) or bitset.contains(members, card):
            return NO_SET
        members |= bitset.one(card)
    return members


@compiled
def unite(first: int, second: int) -> int:
    return NO_SET if NO_SET in (first, second) else first | second


@compiled
def copy_entries(
    source: npt.NDArray[np.signedinteger], target: npt.NDArray[np.signedinteger]
) -> None:
    """Without Numba's runtime, an array cannot be assigned to another one."""
    for i in range(source.size):
        target.flat[i] = source.flat[i]
