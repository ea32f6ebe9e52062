"""Writes observations and action masks, compiled.

Observations and masks are written flat: the vectors of all seats of all games, one after the other.
Each part of a vector is written after the parts before it, because ``wide_writes`` run ahead.

Indices are widened before they are added: without the compiler they can be int8 scalars.
"""

from mindup_env.cards import NUM_COLOURS
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.conditions import shown_objectives, shown_objectives_met
from mindup_env.engine.dealing import known_cards
from mindup_env.engine.results import is_over, round_score
from mindup_env.engine.state import (
    BONUS_POINTS,
    COLOUR_POINTS,
    NOTHING,
    NUM_COLUMNS,
    Games,
    Int8Array,
    Int64Array,
    Rules,
)
from mindup_env.observation.layout import Offsets
from mindup_env.observation.wide_writes import SET_SIZE, copy_slice, write_members


def scratch_size(size: int) -> int:
    """The scratch of ``write_observations`` for vectors of this size: blocks are there twice."""
    return 2 * size + SET_SIZE


@compiled
def write_observations(
    rules: Rules, games: Games, g: int, at: Offsets, vector: Int8Array, seen: Int8Array
) -> None:
    """Writes what each seat sees of game ``g`` into ``seen`` (N * num_players * size,).

    ``vector`` (scratch_size,) is scratch. The beginning of the next game's vectors may be
    overwritten.
    """
    see_table(rules, games, g, at, vector)
    for seat in range(rules.num_players):
        see_player(rules, games, g, seat, at, at.players + seat * at.block, vector)
    show(games.hands, g, at, vector, seen)


@called
def show(hands: Int64Array, g: int, at: Offsets, vector: Int8Array, seen: Int8Array) -> None:
    """Copies the vector of the first seat to each seat, from where it sees the table.

    The table is the same for all of them; the hand is their own, and the blocks of the players are
    rotated. A function of its own has its few values in registers: values in memory make the wide
    stores wait, at some addresses.
    """
    players = hands.shape[1]
    blocks = players * at.block
    copy_slice(vector, at.players, at.players + blocks, vector, at.players + blocks)
    row_is_played = vector[at.row_players] > 0
    start = g * players * at.size
    for viewer in range(players):
        write_members(hands[g, viewer], seen, start + at.hand)
        copy_slice(vector, at.row, at.players, seen, start + at.row)
        if row_is_played:
            for place in range(players):
                player = vector[at.row_players + place] - viewer
                player_from_1 = player + players if player <= 0 else player
                seen[start + at.row_players + place] = player_from_1
        own = at.players + viewer * at.block
        copy_slice(vector, own, own + blocks, seen, start + at.players)
        start += at.size


@compiled
def write_masks(rules: Rules, games: Games, g: int, masks: Int8Array) -> None:
    """Writes 1 for each card that a seat may play into ``masks`` (N * num_players * num_cards,)."""
    cards = len(rules.card_colours)
    for seat in range(rules.num_players):
        write_members(games.hands[g, seat], masks, (g * rules.num_players + seat) * cards)


@compiled
def see_table(rules: Rules, games: Games, g: int, at: Offsets, seen: Int8Array) -> None:
    """The parts from the row to the objectives, as the first seat sees them."""
    clock = games.clock[g]
    round_ = rules.round_at[clock]
    write_members(0, seen, at.row)
    row = 0
    for place in range(rules.num_players):
        card = int(games.row[g, place])
        seen[at.row + card] = place + 1
        row |= bitset.one(card)
    for seat in range(rules.num_players):
        if clock == 0:
            seen[at.row_players + seat] = 0  # from the deck
        else:
            place = bitset.size_below(row, games.played[g, clock - 1, seat])
            seen[at.row_players + place] = seat + 1
    for column in range(NUM_COLUMNS):
        seen[at.score_cards + column] = games.score_cards[g, round_, column]
    seen[at.round] = round_ + 1
    seen[at.turn] = rules.turn_at[clock] + 1
    used = 0
    for earlier in range(round_):
        for objective in games.objectives[g, earlier]:
            used |= bitset.one(objective)
    write_members(shown_objectives(rules, games, g), seen, at.objectives)
    write_members(used, seen, at.objectives_used)


@compiled
def see_player(
    rules: Rules, games: Games, g: int, seat: int, at: Offsets, start: int, seen: Int8Array
) -> None:
    """What is public about ``seat``, into the block that begins at ``start``."""
    tableau = games.tableaux[g, seat]
    write_members(tableau, seen, start + at.tableaux)
    counts = 0  # a byte for each column
    for colour in range(NUM_COLOURS):
        column = int(games.columns[g, seat, colour])
        seen[start + at.columns + colour] = column - NOTHING
        # A colour without a column adds 0, which is cheaper than a branch.
        counts += bitset.size(tableau & rules.colour_cards[colour]) << (8 * max(column, 0))
    for column in range(NUM_COLUMNS):
        seen[start + at.counts + column] = (counts >> (8 * column)) & 127

    known = known_cards(rules, games, g, seat)
    write_members(known, seen, start + at.known)
    seen[start + at.unknown] = bitset.size(games.hands[g, seat] & ~known)

    round_ = rules.round_at[games.clock[g]]
    finished = rules.num_rounds if is_over(rules, games, g) else int(round_)
    for earlier in range(rules.num_rounds):
        score = round_score(games, g, earlier, seat) if earlier < finished else 0
        seen[start + at.round_scores + earlier] = score
    seen[start + at.running_scores] = (
        games.points[g, round_, seat, COLOUR_POINTS] + games.points[g, round_, seat, BONUS_POINTS]
    )
    met = shown_objectives_met(rules, games, g, seat)
    write_members(met, seen, start + at.objectives_met)
