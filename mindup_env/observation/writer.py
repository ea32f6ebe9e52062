"""Writes observations and action masks, compiled.

Indices are widened before they are added: without the compiler they can be int8 scalars.
"""

from mindup_env.cards import NUM_COLOURS
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.conditions import objectives_met
from mindup_env.engine.dealing import known_cards
from mindup_env.engine.results import is_over, round_score
from mindup_env.engine.state import (
    BONUS_POINTS,
    COLOUR_POINTS,
    NOTHING,
    NUM_COLUMNS,
    Games,
    Int8Array,
    Rules,
)
from mindup_env.observation.layout import Offsets


@compiled
def observe(rules: Rules, games: Games, g: int, at: Offsets, seen: Int8Array) -> None:
    """Writes what each seat sees of game ``g`` into ``seen`` (num_players, size)."""
    seen[0, :] = 0
    see_table(rules, games, g, at, seen)
    for seat in range(rules.num_players):
        see_player(rules, games, g, seat, at, at.players + seat * at.block, seen)
    mark(games.hands[g, 0], at.hand, seen, 0)
    # The table is the same for all viewers; the blocks of the players are rotated.
    for viewer in range(1, rules.num_players):
        copy(seen, at.row, at.players, viewer, at.row)
        begins = at.players + viewer * at.block
        ends = at.players + rules.num_players * at.block
        copy(seen, begins, ends, viewer, at.players)
        copy(seen, at.players, begins, viewer, at.players + ends - begins)
        seen[viewer, at.hand : at.row] = 0
        turn_row_players(rules, viewer, at, seen)
        mark(games.hands[g, viewer], at.hand, seen, viewer)


@compiled
def observe_masks(rules: Rules, games: Games, g: int, masks: Int8Array) -> None:
    """Writes 1 for each card that a seat may play into ``masks`` (num_players, num_cards)."""
    for seat in range(rules.num_players):
        masks[seat, :] = 0
        mark(games.hands[g, seat], 0, masks, seat)


@compiled
def mark(members: int, start: int, seen: Int8Array, viewer: int) -> None:
    """Writes 1 for each member of a set."""
    while members != 0:
        seen[viewer, start + bitset.lowest(members)] = 1
        members &= members - 1


@compiled
def copy(seen: Int8Array, begins: int, ends: int, viewer: int, to: int) -> None:
    """Copies a slice of the first viewer's vector to the vector of another viewer."""
    source, target = seen[0, begins:ends], seen[viewer, to : to + ends - begins]
    for i in range(len(source)):
        target[i] = source[i]


@compiled
def see_table(rules: Rules, games: Games, g: int, at: Offsets, seen: Int8Array) -> None:
    clock = games.clock[g]
    round_ = rules.round_at[clock]
    seen[0, at.round] = round_ + 1
    seen[0, at.turn] = rules.turn_at[clock] + 1
    row = 0
    for place in range(rules.num_players):
        row |= bitset.one(games.row[g, place])
        seen[0, at.row + int(games.row[g, place])] = place + 1
    if clock > 0:  # the first row came from the deck
        for seat in range(rules.num_players):
            place = bitset.size_below(row, games.played[g, clock - 1, seat])
            seen[0, at.row_players + place] = seat + 1
    for column in range(NUM_COLUMNS):
        seen[0, at.score_cards + column] = games.score_cards[g, round_, column]
    for place in range(games.objectives.shape[2]):
        seen[0, at.objectives + int(games.objectives[g, round_, place])] = 1
        for earlier in range(round_):
            seen[0, at.objectives_used + int(games.objectives[g, earlier, place])] = 1


@compiled
def turn_row_players(rules: Rules, viewer: int, at: Offsets, seen: Int8Array) -> None:
    """Counts the players of the prizes from ``viewer`` instead of from the first seat."""
    for place in range(rules.num_players):
        player = seen[0, at.row_players + place]  # from 1; 0 for nobody
        if 0 < player <= viewer:
            player += rules.num_players
        seen[viewer, at.row_players + place] = max(player - viewer, 0)


@compiled
def see_player(
    rules: Rules, games: Games, g: int, seat: int, at: Offsets, start: int, seen: Int8Array
) -> None:
    """What is public about ``seat``, into the block that begins at ``start``."""
    tableau = games.tableaux[g, seat]
    mark(tableau, start + at.tableaux, seen, 0)
    for colour in range(NUM_COLOURS):
        column = int(games.columns[g, seat, colour])
        count = bitset.size(tableau & rules.colour_cards[colour])
        # A colour without a column writes 0 and adds 0, which is cheaper than a branch.
        seen[0, start + at.columns + colour] = column - NOTHING
        seen[0, start + at.counts + max(column, 0)] += count

    known = known_cards(rules, games, g, seat)
    mark(known, start + at.known, seen, 0)
    seen[0, start + at.unknown] = bitset.size(games.hands[g, seat] & ~known)

    round_ = rules.round_at[games.clock[g]]
    seen[0, start + at.running_scores] = (
        games.points[g, round_, seat, COLOUR_POINTS] + games.points[g, round_, seat, BONUS_POINTS]
    )
    finished = rules.num_rounds if is_over(rules, games, g) else round_
    for earlier in range(finished):
        seen[0, start + at.round_scores + earlier] = round_score(games, g, earlier, seat)

    if games.objectives.shape[2] > 0:
        met = objectives_met(rules, games, g, seat)
        for objective in games.objectives[g, round_]:
            if bitset.contains(met, objective):
                seen[0, start + at.objectives_met + int(objective)] = 1
