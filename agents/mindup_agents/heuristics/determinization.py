"""Determinizations: random assignments of the hidden cards to the opponents' hands."""

import numpy as np

from mindup_agents.heuristics.observed_games import KnownGames
from mindup_agents.heuristics.prize_probabilities import unseen_cards
from mindup_env.engine import bitset, streams
from mindup_env.engine.clock import first_draw
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.state import Games, Int8Array


@compiled
def count_hidden_cards(known: KnownGames, g: int) -> int:
    """The number of cards in the opponents' hands that player 0 does not know."""
    hidden = 0
    for opponent in range(1, known.rules.num_players):
        hidden += known.num_hidden[g, opponent]
    return hidden


@called
def sample_determinization(
    known: KnownGames, g: int, row_bits: np.uint64, sample: int, shuffled: Int8Array
) -> None:
    """Completes the opponents' hands with unseen cards; all assignments are equally likely.

    ``row_bits`` and the number ``sample`` determine the result. ``shuffled`` (num_cards,) receives
    the unseen cards: first those dealt, in the order of the opponents, then the others.
    """
    unseen = unseen_cards(known, g, 0)
    num_unseen = bitset.size(unseen)
    for place in range(num_unseen):
        shuffled[place] = bitset.lowest(unseen)
        unseen &= unseen - 1
    for dealt in range(count_hidden_cards(known, g)):
        if dealt % 4 == 0:
            block = streams.philox(
                np.uint64(dealt), np.uint64(sample), np.uint64(0), np.uint64(0), row_bits
            )
        chosen = dealt + streams.below(block[0], num_unseen - dealt)
        block = block[1], block[2], block[3], block[0]
        shuffled[dealt], shuffled[chosen] = shuffled[chosen], shuffled[dealt]
    deal_hidden_cards(known, g, shuffled)


@called
def deal_hidden_cards(known: KnownGames, g: int, shuffled: Int8Array) -> None:
    """Completes the opponents' hands with the first of the cards ``shuffled`` (unseen cards,)."""
    dealt = 0
    for opponent in range(1, known.rules.num_players):
        hand = known.cards[g, opponent]
        for _ in range(known.num_hidden[g, opponent]):
            hand |= bitset.one(shuffled[dealt])
            dealt += 1
        known.games.hands[g, opponent] = hand


@called
def write_deck(known: KnownGames, g: int, shuffled: Int8Array, copy: Games) -> None:
    """Writes the cards drawn this round and later into the deck of a copy of game ``g``.

    They follow from the hands of game ``g`` and from ``shuffled`` (unseen cards,), as
    ``sample_determinization`` or ``deal_hidden_cards`` left them; the engine reads them from the
    deck.
    """
    rules, games = known.rules, known.games
    round_, players = rules.round_at[games.clock[g]], rules.num_players
    next_draw = first_draw(rules, round_ + 1)
    if round_ > 0:
        for player in range(players):
            hidden = games.hands[g, player] & ~known.cards[g, player]
            # A drawn card that was played already may be any card that is in no hand.
            drawn = bitset.lowest(hidden) if hidden != 0 else games.row[g, player]
            copy.deck[0, next_draw - players + player] = drawn
    dealt = count_hidden_cards(known, g)
    for draw in range(players * (rules.num_rounds - round_ - 1)):
        copy.deck[0, next_draw + draw] = shuffled[dealt + draw]
