"""The cards of an observation, as sets."""

from mindup_env.engine import bitset
from mindup_env.engine.clock import cards_of_round
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Games, Int8Array, Int64Array, Rules


@compiled
def set_of_nonzero(entries: Int8Array) -> int:
    """The set of the indices whose entry is not 0."""
    members = 0
    for member in range(len(entries)):
        if entries[member] != 0:
            members |= 1 << member
    return members


@compiled
def sets_of_nonzero(first: Int8Array, second: Int8Array) -> tuple[int, int]:
    """The same for two arrays of one length, in one loop, which is faster than two."""
    members, others = 0, 0
    for member in range(len(first)):
        if first[member] != 0:
            members |= 1 << member
        if second[member] != 0:
            others |= 1 << member
    return members, others


@compiled
def cards_agree(
    rules: Rules, games: Games, g: int, known: Int64Array, num_hidden: Int64Array
) -> bool:
    """Whether hands and tableaux have the sizes of the turn, and no card is in two places.

    ``known`` (num_players,) are the sets of known cards in the hands, ``num_hidden`` (num_players,)
    the numbers of the others.
    """
    clock, hand = games.clock[g], games.hands[g, 0]
    round_size = cards_of_round(rules, int(rules.round_at[clock]))
    hand_size = round_size - int(rules.turn_at[clock])
    if hand == 0 and clock == rules.num_turns - 1:  # the game is over
        hand_size = 0
    tableau_size = round_size - hand_size
    visible, number = hand, hand_size + rules.num_players * (1 + tableau_size)
    agree = bitset.size(hand) == hand_size and known[0] & ~hand == 0
    for player in range(rules.num_players):
        tableau, num_known = games.tableaux[g, player], bitset.size(known[player])
        agree &= bitset.size(tableau) == tableau_size
        agree &= num_known + num_hidden[player] == hand_size and num_hidden[player] >= 0
        visible |= bitset.one(games.row[g, player]) | tableau
        if player > 0:
            visible |= known[player]
            number += num_known
    return agree and bitset.size(visible) == number
