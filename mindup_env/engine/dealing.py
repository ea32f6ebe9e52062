"""The shuffle before a game, and the table as it stands when play begins."""

import numpy as np
import numpy.typing as npt

from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import NOTHING, Games, Rules
from mindup_env.objectives import NUM_OBJECTIVES


@compiled
def deal(rules: Rules, games: Games, g: int, key: npt.NDArray[np.uint64]) -> None:
    """Deals game ``g`` at random; ``key`` (seed, slot, episode) alone decides the cards."""
    for card in range(len(rules.card_colours)):
        games.deck[g, card] = card
    streams.shuffle(games.deck[g], key, streams.DECK, 0)
    for round_ in range(rules.num_rounds):
        order = games.score_cards[g, round_]
        for column in range(len(order)):
            order[column] = column + 1
        streams.shuffle(order, key, streams.SCORE_CARDS, round_)
    draw_objectives(rules, games, g, key)
    set_up(rules, games, g)


@compiled
def draw_objectives(rules: Rules, games: Games, g: int, key: npt.NDArray[np.uint64]) -> None:
    """One or two objectives are fresh each round, and gone then; three or more stay."""
    num_shown = games.objectives.shape[2]
    earlier = 0
    for round_ in range(rules.num_rounds):
        beside = 0
        for place in range(num_shown):
            if round_ > 0 and num_shown > 2:
                games.objectives[g, round_, place] = games.objectives[g, 0, place]
                continue
            bits = streams.random_block(key, streams.OBJECTIVES, round_, place)[0]
            candidates = drawable_objectives(earlier, beside)
            choice = streams.below(bits, bitset.size(candidates))
            objective = bitset.nth_lowest(candidates, choice)
            games.objectives[g, round_, place] = objective
            beside |= bitset.one(objective)
        earlier |= beside


@compiled
def drawable_objectives(earlier: int, beside: int) -> int:
    """The set of those that may be shown beside some, and after those of earlier rounds."""
    candidates = ((1 << NUM_OBJECTIVES) - 1) & ~earlier & ~beside
    while beside != 0:
        sister = bitset.lowest(beside) ^ 1  # of the same letter, so not to be shown beside it
        candidates &= ~bitset.one(sister)
        beside &= beside - 1
    return candidates


@compiled
def set_up(rules: Rules, games: Games, g: int) -> None:
    """Brings game ``g`` to its first turn, given the deal that stands in it."""
    games.clock[g] = 0
    games.points[g] = 0
    games.played[g] = NOTHING
    games.taken[g] = NOTHING
    players, hand_size = rules.num_players, rules.hand_size
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
    first_draw = rules.num_players * (rules.hand_size + 1)
    return games.deck[g, first_draw + (round_ - 1) * rules.num_players + seat]


@compiled
def known_cards(rules: Rules, games: Games, g: int, seat: int) -> int:
    """The set of ``seat``'s hand cards that everybody knows: those taken back this round."""
    round_ = rules.round_at[games.clock[g]]
    if round_ == 0:
        return 0
    return games.hands[g, seat] & ~bitset.one(drawn_card(rules, games, g, seat, round_))
