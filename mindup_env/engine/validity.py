"""Which games can be played on: compiled code trusts that what is in their arrays agrees.

Points are only added up, so any will do. The past may be unknown: of what was played and taken
before, only the ranges are checked.
"""

from mindup_env.cards import NUM_COLOURS, NUM_OBJECTIVES
from mindup_env.engine import bitset
from mindup_env.engine.clock import cards_of_round, first_draw, log_start
from mindup_env.engine.compiler import called, compiled, kernel, typed_once
from mindup_env.engine.results import is_over
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Games, Int8Array, Rules

_SCORE_CARDS = sum(1 << value for value in range(1, NUM_COLUMNS + 1))
_OUT_OF_RANGE = 63
"""No card, score card or objective has this number."""


def find_impossible(rules: Rules, games: Games) -> int | None:
    """The first game that cannot be; None if all can."""
    g = first_impossible(rules, games, games.played.reshape(-1), games.taken.reshape(-1))
    return g if g < len(games.clock) else None


@typed_once
@kernel
def first_impossible(rules: Rules, games: Games, played: Int8Array, taken: Int8Array) -> int:
    """The first game that cannot be, or their number. The logs are flat, too."""
    g = 0
    if are_cards(rules, played) and are_cards(rules, taken):
        while g < len(games.clock) and is_possible(rules, games, g):
            g += 1
    return g


@called
def is_possible(rules: Rules, games: Games, g: int) -> bool:
    possible = is_of_a_deal(rules, games, g) and has_each_card_once(rules, games, g)
    for seat in range(rules.num_players):
        possible = possible and has_its_columns(rules, games, g, seat)
    return possible and log_agrees(rules, games, g)


@called
def is_of_a_deal(rules: Rules, games: Games, g: int) -> bool:
    num_shown = games.objectives.shape[2]
    right = set_of(games.deck[g]) == bitset.one(len(rules.card_colours)) - 1
    right &= 0 <= games.clock[g] <= rules.num_turns
    used = 0
    for round_ in range(rules.num_rounds):
        order = games.score_cards[g, round_]
        right &= set_of(order) == _SCORE_CARDS
        for column in range(NUM_COLUMNS):
            right &= rules.draws_score_order or order[column] == rules.score_order[column]
        shown = set_of(games.objectives[g, round_])
        letters = 0
        for objective in bitset.members(shown):
            letters |= bitset.one(objective // 2)
        right &= shown & -bitset.one(NUM_OBJECTIVES) == 0 and bitset.size(letters) == num_shown
        is_renewed = round_ == 0 or num_shown <= 2  # as draw_objectives
        right &= used & shown == 0 if is_renewed else used == shown
        used |= shown
    return right


@called
def has_each_card_once(rules: Rules, games: Games, g: int) -> bool:
    """Whether hands, tableaux and row have the right sizes, and share no card with what is left."""
    round_ = rules.round_at[games.clock[g]]
    taken = int(rules.turn_at[games.clock[g]])
    if is_over(rules, games, g):
        taken = cards_of_round(rules, round_)
    held = cards_of_round(rules, round_) - taken
    found = set_of(games.row[g])
    right = bitset.size(found) == rules.num_players
    for place in range(1, rules.num_players):
        right &= games.row[g, place - 1] < games.row[g, place]
    for drawn in range(first_draw(rules, round_ + 1), first_draw(rules, rules.num_rounds)):
        found |= bitset.one(games.deck[g, drawn])
    for seat in range(rules.num_players):
        hand = games.hands[g, seat]
        tableau = games.tableaux[g, seat]
        right &= bitset.size(hand) == held and bitset.size(tableau) == taken
        right &= (hand | tableau) & found == 0 and hand & tableau == 0
        found |= hand | tableau
    return right and found & -bitset.one(len(rules.card_colours)) == 0


@called
def has_its_columns(rules: Rules, games: Games, g: int, seat: int) -> bool:
    """Whether the colours of the tableau have columns, from the left on, and others have none."""
    right = True
    filled = 0
    for colour in range(NUM_COLOURS):
        column = int(games.columns[g, seat, colour])
        is_empty = games.tableaux[g, seat] & rules.colour_cards[colour] == 0
        right &= NOTHING <= column < NUM_COLUMNS and (column == NOTHING) == is_empty
        opened = bitset.one(column & _OUT_OF_RANGE) * (not is_empty)
        right &= filled & opened == 0
        filled |= opened
    return right and filled & (filled + 1) == 0


@called
def log_agrees(rules: Rules, games: Games, g: int) -> bool:
    clock = games.clock[g]
    agrees = clock == 0 or set_of(games.played[g, clock - 1]) == set_of(games.row[g])
    start = log_start(rules, rules.round_at[clock])
    for seat in range(rules.num_players):
        taken = 0
        for entry in range(start, start + bitset.size(games.tableaux[g, seat])):
            taken |= bitset.one(games.taken[g, entry, seat] & _OUT_OF_RANGE)
        agrees &= taken == games.tableaux[g, seat]
    return agrees


@called
def are_cards(rules: Rules, log: Int8Array) -> bool:
    num_cards = len(rules.card_colours)
    wrong = False
    for card in log:
        wrong |= (card < NOTHING) | (card >= num_cards)
    return not wrong


@compiled
def set_of(numbers: Int8Array) -> int:
    """The set of some numbers; what is out of range becomes a member that no set has."""
    found = 0
    for number in numbers:
        found |= bitset.one(number if 0 <= number < _OUT_OF_RANGE else _OUT_OF_RANGE)
    return found
