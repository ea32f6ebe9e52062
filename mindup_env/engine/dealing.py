"""The shuffle before a game, the table at its first turn, cards drawn later, random cards."""

import numpy as np
import numpy.typing as npt

from mindup_env.cards import NUM_OBJECTIVES
from mindup_env.engine import bitset, streams
from mindup_env.engine.clock import first_draw
from mindup_env.engine.compiler import also_compiled, compiled
from mindup_env.engine.state import NOTHING, Games, Rules


@compiled
def deal(rules: Rules, games: Games, g: int) -> None:
    """Deals game ``g`` at random, as a function of its key (seed, slot, episode) alone."""
    key = games.keys[g]
    for card in range(len(rules.card_colours)):
        games.deck[g, card] = card
    streams.shuffle(games.deck[g], key, streams.DECK, 0)
    for round_ in range(rules.num_rounds):
        order = games.score_cards[g, round_]
        for column in range(len(order)):
            order[column] = rules.score_order[column]
        if rules.draws_score_order:
            streams.shuffle(order, key, streams.SCORE_CARDS, round_)
    draw_objectives(rules, games, g)
    set_up(rules, games, g)


@compiled
def draw_objectives(rules: Rules, games: Games, g: int) -> None:
    """Draws the objectives: one or two are drawn anew for each round, three or more stay."""
    num_shown = games.objectives.shape[2]
    earlier = 0
    for round_ in range(rules.num_rounds):
        shown = 0
        for i in range(num_shown):
            if round_ > 0 and num_shown > 2:
                games.objectives[g, round_, i] = games.objectives[g, 0, i]
                continue
            bits = streams.random_block(games.keys[g], streams.OBJECTIVES, round_, i)[0]
            candidates = drawable_objectives(earlier, shown)
            choice = streams.below(bits, bitset.size(candidates))
            objective = bitset.nth_lowest(candidates, choice)
            games.objectives[g, round_, i] = objective
            shown |= bitset.one(objective)
        earlier |= shown


@also_compiled
def drawable_objectives(earlier: int, shown: int) -> int:
    """The set of objectives that may be drawn, given the sets shown earlier and in this round."""
    candidates = ((1 << NUM_OBJECTIVES) - 1) & ~earlier & ~shown
    while shown != 0:
        same_letter = bitset.lowest(shown) ^ 1  # each letter has two neighbours among OBJECTIVES
        candidates &= ~(1 << same_letter)
        shown &= shown - 1
    return candidates


@compiled
def deal_next(rules: Rules, games: Games, g: int) -> None:
    """Deals the next episode of game ``g``."""
    games.keys[g, streams.EPISODE] += np.uint64(1)
    deal(rules, games, g)


@compiled
def set_up(rules: Rules, games: Games, g: int) -> None:
    """Sets game ``g`` to its first turn, with the deal that it holds."""
    games.clock[g] = 0
    games.points[g] = 0
    games.met[g] = 0
    games.played[g] = NOTHING
    games.taken[g] = NOTHING
    players = rules.num_players
    hand_size = rules.hand_size
    first_row = 0
    for seat in range(players):
        hand = 0
        for card in games.deck[g, seat * hand_size : (seat + 1) * hand_size]:
            hand |= bitset.one(card)
        games.hands[g, seat] = hand
        clear_tableau(games, g, seat)
        first_row |= bitset.one(games.deck[g, players * hand_size + seat])
    for place in range(players):
        games.row[g, place] = bitset.nth_lowest(first_row, place)


@compiled
def clear_tableau(games: Games, g: int, seat: int) -> None:
    games.tableaux[g, seat] = 0
    games.columns[g, seat] = NOTHING


@compiled
def drawn_card(rules: Rules, games: Games, g: int, seat: int, round_: int) -> int:
    """The one card of ``seat``'s hand in ``round_`` that was not in its tableau before."""
    return games.deck[g, first_draw(rules, round_) + seat]


@compiled
def known_cards(rules: Rules, games: Games, g: int, seat: int) -> int:
    """The set of public cards in the hand of ``seat``: those taken back when the round began."""
    round_ = rules.round_at[games.clock[g]]
    if round_ == 0:
        return 0
    return games.hands[g, seat] & ~bitset.one(drawn_card(rules, games, g, seat, round_))


@compiled
def choose_random_cards(
    rules: Rules, games: Games, g: int, cards: npt.NDArray[np.signedinteger]
) -> None:
    """Writes a card of the hand of every seat into ``cards`` (num_players,)."""
    bits = second = third = fourth = np.uint64(0)
    for seat in range(rules.num_players):
        if seat % 4 == 0:
            bits, second, third, fourth = streams.random_block(
                games.keys[g], streams.RANDOM_PLAY, seat // 4, games.clock[g]
            )
        hand = games.hands[g, seat]
        cards[seat] = bitset.nth_lowest(hand, streams.below(bits, bitset.size(hand)))
        bits, second, third = second, third, fourth
