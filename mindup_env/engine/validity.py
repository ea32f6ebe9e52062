"""Which games can be played on: compiled code trusts that what is in their arrays agrees.

The past is compared with nothing, since a game may have an unknown one; only its ranges are.
"""

from mindup_env.cards import NUM_COLOURS, NUM_OBJECTIVES
from mindup_env.engine import bitset
from mindup_env.engine.clock import cards_of_round, first_draw, log_start
from mindup_env.engine.compiler import called, compiled, kernel, typed_once
from mindup_env.engine.conditions import total_points
from mindup_env.engine.results import is_over
from mindup_env.engine.state import (
    BONUS_POINTS,
    COLOUR_POINTS,
    NOTHING,
    NUM_COLUMNS,
    OBJECTIVE_POINTS,
    Games,
    Int8Array,
    Rules,
)

FAULTS = (
    "its deck, score cards, objectives or clock are not allowed by the rules",
    "its row, hands and tableaux do not have the right cards, each in one of them",
    "its columns or points are not those of its tableaux",
    "its cards played or taken are not those of its row or tableaux",
)
NO_FAULT = -1
_SCORE_CARDS = sum(1 << value for value in range(1, NUM_COLUMNS + 1))


@typed_once
@kernel
def find_fault(rules: Rules, games: Games) -> tuple[int, int]:
    """The first game that cannot be, and what is wrong, among FAULTS; or NO_FAULT."""
    for g in range(len(games.clock)):
        if not deal_is_allowed(rules, games, g):
            return g, 0
        if not cards_are_somewhere(rules, games, g):
            return g, 1
        for seat in range(rules.num_players):
            if not seat_is_scored(rules, games, g, seat):
                return g, 2
        if not log_agrees(rules, games, g):
            return g, 3
    return 0, NO_FAULT


@called
def deal_is_allowed(rules: Rules, games: Games, g: int) -> bool:
    num_cards = len(rules.card_colours)
    num_shown = games.objectives.shape[2]
    allowed = set_of(games.deck[g], num_cards) == bitset.one(num_cards) - 1
    allowed &= 0 <= games.clock[g] <= rules.num_turns
    used = 0
    for round_ in range(rules.num_rounds):
        order = games.score_cards[g, round_]
        allowed &= set_of(order, NUM_COLUMNS + 1) == _SCORE_CARDS
        for column in range(NUM_COLUMNS):
            allowed &= rules.draws_score_order or order[column] == rules.score_order[column]
        shown = set_of(games.objectives[g, round_], NUM_OBJECTIVES)
        letters = 0
        for objective in bitset.members(shown):
            letters |= bitset.one(objective // 2)
        allowed &= bitset.size(letters) == num_shown
        is_renewed = round_ == 0 or num_shown <= 2  # as draw_objectives
        allowed &= used & shown == 0 if is_renewed else used == shown
        used |= shown
    return allowed


@called
def cards_are_somewhere(rules: Rules, games: Games, g: int) -> bool:
    """Whether each card in play, or still to be drawn, is in one place of the right size."""
    round_ = rules.round_at[games.clock[g]]
    cards = bitset.one(len(rules.card_colours)) - 1
    taken = int(rules.turn_at[games.clock[g]])
    if is_over(rules, games, g):
        taken = cards_of_round(rules, round_)
    held = cards_of_round(rules, round_) - taken
    found = set_of(games.row[g], len(rules.card_colours))
    right = bitset.size(found) == rules.num_players
    for place in range(rules.num_players):
        right &= games.row[g, place] == bitset.nth_lowest(found, place)
    for drawn in range(first_draw(rules, round_ + 1), first_draw(rules, rules.num_rounds)):
        found |= bitset.one(games.deck[g, drawn])
    for seat in range(rules.num_players):
        hand = games.hands[g, seat]
        tableau = games.tableaux[g, seat]
        right &= bitset.size(hand) == held and bitset.size(tableau) == taken
        right &= (hand | tableau) & (found | ~cards) == 0 and hand & tableau == 0
        found |= hand | tableau
    return right


@called
def seat_is_scored(rules: Rules, games: Games, g: int, seat: int) -> bool:
    """Whether the columns and points are those of the tableau, which is a set of cards."""
    current = rules.round_at[games.clock[g]]
    finished = rules.num_rounds if is_over(rules, games, g) else int(current)
    filled = 0
    colours = 0
    colour_points = 0
    bonus_points = 0
    right = True
    for colour in range(NUM_COLOURS):
        cards = games.tableaux[g, seat] & rules.colour_cards[colour]
        column = int(games.columns[g, seat, colour])
        right &= NOTHING <= column < NUM_COLUMNS and (column == NOTHING) == (cards == 0)
        if right and cards != 0:
            colours += 1
            filled |= bitset.one(column)
            colour_points += games.score_cards[g, current, column] * bitset.size(cards)
        for card in bitset.members(cards):
            bonus_points += rules.card_points[card]
    right &= filled == bitset.one(colours) - 1  # columns fill from the left
    for round_ in range(rules.num_rounds):
        points = games.points[g, round_, seat]
        met = games.met[g, round_, seat]
        shown = set_of(games.objectives[g, round_], NUM_OBJECTIVES)
        right &= met & ~shown == 0 and (round_ < finished or met == 0)
        if round_ >= current:
            right &= points[COLOUR_POINTS] == (colour_points if round_ == current else 0)
            right &= points[BONUS_POINTS] == (bonus_points if round_ == current else 0)
            right &= points[OBJECTIVE_POINTS] == total_points(met)
    return right


@called
def log_agrees(rules: Rules, games: Games, g: int) -> bool:
    clock = games.clock[g]
    num_cards = len(rules.card_colours)
    row = set_of(games.row[g], num_cards)
    agrees = clock == 0 or set_of(games.played[g, clock - 1], num_cards) == row
    for turn in range(rules.num_turns):
        for card in games.played[g, turn]:
            agrees &= card == NOTHING or (turn < clock and 0 <= card < num_cards)
    start = log_start(rules, rules.round_at[clock])
    for seat in range(rules.num_players):
        end = start + bitset.size(games.tableaux[g, seat])
        taken = 0
        for entry in range(games.taken.shape[1]):
            card = games.taken[g, entry, seat]
            agrees &= card == NOTHING or (entry < end and 0 <= card < num_cards)
            if agrees and entry >= start and card != NOTHING:
                taken |= bitset.one(card)
        agrees &= taken == games.tableaux[g, seat]
    return agrees


@compiled
def set_of(members: Int8Array, bound: int) -> int:
    """The set of numbers, those from 0 to ``bound - 1`` alone."""
    found = 0
    for member in members:
        if 0 <= member < bound:
            found |= bitset.one(member)
    return found
