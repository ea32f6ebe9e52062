"""A turn: the lowest card takes the lowest prize, and the cards played become the next row.

- ``prize_of``: the prize that a card takes
- ``take``: a prize goes into the column of its colour, or into the leftmost empty one
- ``finish_round``: the card left over, the score of the round, the next hands
"""

import numpy as np
import numpy.typing as npt

from mindup_env.cards import NUM_COLOURS
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.conditions import shown_objectives_met, total_points
from mindup_env.engine.dealing import clear_tableau, drawn_card
from mindup_env.engine.state import (
    BONUS_POINTS,
    COLOUR_POINTS,
    NOTHING,
    OBJECTIVE_POINTS,
    Games,
    Rules,
)


@compiled
def play_turn(rules: Rules, games: Games, g: int, cards: npt.NDArray[np.integer]) -> bool:
    """Plays one turn of game ``g``; ``cards[g]`` (num_players,) is a card of each seat's hand.

    Returns whether the round ended with it.
    """
    clock = games.clock[g]
    round_ = rules.round_at[clock]
    all_played = 0
    for seat in range(rules.num_players):
        all_played |= bitset.one(cards[g, seat])
    for seat in range(rules.num_players):
        card = cards[g, seat]
        prize = prize_of(games, g, card, all_played)
        take(rules, games, g, seat, prize, round_, clock + round_)
        games.hands[g, seat] &= ~bitset.one(card)
        games.played[g, clock, seat] = card
    # The cards played replace the row only after every prize of the old row is taken.
    for seat in range(rules.num_players):
        card = cards[g, seat]
        games.row[g, bitset.size_below(all_played, card)] = card
    ends_round = bitset.size(games.hands[g, 0]) == 1
    if ends_round:
        finish_round(rules, games, g, round_)
    games.clock[g] = clock + 1
    return ends_round


@compiled
def prize_of(games: Games, g: int, card: int, all_played: int) -> int:
    """The prize that ``card`` takes, given the set of all cards played in the turn.

    The lowest card takes the lowest prize, the second lowest card the second lowest prize, and so
    on. The row is ascending, so the index of the prize is the number of lower cards played.
    """
    return games.row[g, bitset.size_below(all_played, card)]


@compiled
def take(
    rules: Rules, games: Games, g: int, seat: int, card: int, round_: int, log_entry: int
) -> None:
    """Puts a card into the column of its colour, or into the leftmost empty one, and scores it.

    A card scores the score card above its column, and its own bonus or malus.
    """
    colour = rules.card_colours[card]
    column = games.columns[g, seat, colour]
    if column == NOTHING:
        column = open_columns(games, g, seat)
        games.columns[g, seat, colour] = column
    games.tableaux[g, seat] |= bitset.one(card)
    games.points[g, round_, seat, COLOUR_POINTS] += games.score_cards[g, round_, column]
    games.points[g, round_, seat, BONUS_POINTS] += rules.card_points[card]
    games.taken[g, log_entry, seat] = card


@compiled
def open_columns(games: Games, g: int, seat: int) -> int:
    """The number of columns with cards: also the first empty one, as they fill from the left."""
    count = 0
    for colour in range(NUM_COLOURS):
        count += games.columns[g, seat, colour] != NOTHING
    return count


@compiled
def finish_round(rules: Rules, games: Games, g: int, round_: int) -> None:
    """Every seat takes its last card; the round is scored; each tableau becomes the next hand.

    The next hand is the tableau and one card drawn from the deck.
    """
    log_entry = games.clock[g] + round_ + 1
    for seat in range(rules.num_players):
        last_card = bitset.lowest(games.hands[g, seat])
        take(rules, games, g, seat, last_card, round_, log_entry)
        games.hands[g, seat] = 0
    score_objectives(rules, games, g, round_)
    if round_ + 1 == rules.num_rounds:
        return
    for seat in range(rules.num_players):
        drawn = drawn_card(rules, games, g, seat, round_ + 1)
        games.hands[g, seat] = games.tableaux[g, seat] | bitset.one(drawn)
        clear_tableau(games, g, seat)


@compiled
def score_objectives(rules: Rules, games: Games, g: int, round_: int) -> None:
    """Writes the objectives that each seat meets at the end of a round, and their points."""
    for seat in range(rules.num_players):
        met = shown_objectives_met(rules, games, g, seat)
        games.met[g, round_, seat] = met
        games.points[g, round_, seat, OBJECTIVE_POINTS] = total_points(met)
