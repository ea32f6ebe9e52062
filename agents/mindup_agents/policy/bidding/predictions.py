"""What the compiled network ``bidding-1`` predicts: the card that each opponent plays.

What the functions compute is explained in ``mindup_training.bidding``, which trains the network.
"""

import numpy as np

from mindup_agents.features.base import Float32Array
from mindup_agents.policy.bidding.arrays import Scratch, Weights
from mindup_agents.policy.bidding.facts import (
    CARD_FACTS,
    HIDDEN,
    LEAK,
    LEAST,
    LEAST_POINTS,
    MOST_LOG_WEIGHT,
    PLAYER,
    POINTS,
    BiddingFacts,
)
from mindup_agents.policy.compiled_network import dot, multiply, start
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import SCORE_CARDS
from mindup_env.engine.compiler import called, compiled

_MOST_POINTS = float(max(SCORE_CARDS))


@called
def read_table(facts: BiddingFacts, row: Float32Array, at: Scratch) -> None:
    """Reads the table of a row (size,): which cards are hidden, and which are prizes."""
    table, cards, places = row[: facts.size], facts.num_cards, facts.places
    start(table, at.table[: facts.size])
    players = np.float32(places)
    at.prizes[:] = 0
    for card in range(cards):
        is_public = False
        if table[facts.row + card] > 0:
            is_public = True
            place = clamp(int(table[facts.row + card] * players + np.float32(0.5)) - 1, places)
            at.prizes[place] = card
        for player in range(places):
            begin = facts.players + player * facts.block
            in_tableau = table[begin + facts.tableaux + card] > 0
            is_public |= in_tableau or table[begin + facts.known + card] > 0
        at.hidden[card] = not is_public
        at.unseen[card] = not is_public and not table[facts.hand + card] > 0


@called
def read_colours(facts: BiddingFacts, at: Scratch) -> None:
    """Fills ``at.points`` and ``at.colours``, after ``read_table``."""
    table, places = at.table, facts.places
    for player in range(places):
        begin, used = facts.players + player * facts.block + facts.columns, 0
        for colour in range(NUM_COLOURS):
            used += table[begin + colour] > 0
        for colour in range(NUM_COLOURS):
            open_ = table[begin + colour] > 0
            column = int(table[begin + colour] * NUM_COLOURS + np.float32(0.5)) - 1
            column = clamp(column if open_ else used, NUM_COLOURS)
            at.points[player, colour] = table[facts.score_cards + column] * _MOST_POINTS
            at.colours[player, colour, 1] = not open_
    for colour in range(NUM_COLOURS):
        total = np.float32(0)
        for player in range(places):
            total += at.points[player, colour]
        for player in range(places):
            points, known = at.points[player, colour], at.colours[player, colour]
            known[0] = points / np.float32(POINTS)
            known[2] = known[1] * known[0]
            known[3] = (total - points) / np.float32((places - 1) * POINTS)


@called
def read_players(facts: BiddingFacts, weights: Weights, at: Scratch) -> None:
    """Fills the end of ``at.table`` with what is read of each player."""
    block, places = facts.block, facts.places
    models = facts.remembered
    end = 2 * block + facts.middle_end - facts.score_cards
    start(at.table[facts.score_cards : facts.middle_end], at.player[2 * block : end])
    for player in range(places):
        at.player[end:] = 0
        if models and player:
            begin = facts.memory + (player - 1) * models
            start(at.table[begin : begin + models], at.player[end:])
        at.player[block : 2 * block] = 0
        for other in range(places):
            begin = facts.players + other * block
            if other == player:
                start(at.table[begin : begin + block], at.player[:block])
            else:
                for entry in range(block):
                    at.player[block + entry] += at.table[begin + entry]
        start(weights.player_bias, at.player_hidden)
        multiply(at.player, weights.player_weight, at.nonzero, at.player_hidden)
        leak(at.player_hidden)
        out = at.table[facts.size + player * PLAYER : facts.size + (player + 1) * PLAYER]
        start(weights.player_2_bias, out)
        multiply(at.player_hidden, weights.player_2_weight, at.nonzero, out)
        leak(out)


@called
def read_prizes(facts: BiddingFacts, weights: Weights, at: Scratch) -> None:
    """Fills ``at.prize``, and ``at.lower`` as if all cards of a hand were equally likely."""
    for player in range(facts.places):
        own = at.table[facts.size + player * PLAYER : facts.size + (player + 1) * PLAYER]
        for place in range(facts.places):
            card = at.prizes[place]
            start(facts.card_facts[card], at.prize_facts[:CARD_FACTS])
            start(at.colours[player, facts.card_colours[card]], at.prize_facts[CARD_FACTS:])
            out = at.prize[player, place]
            start(weights.prize_bias, out)
            multiply(at.prize_facts, weights.prize_weight, at.nonzero, out)
            multiply(own, weights.prize_player_weight, at.nonzero, out)
            leak(out)
        begin = facts.players + player * facts.block
        unknown = at.table[begin + facts.unknown] * facts.most_unknown
        hidden, known = np.float32(0), np.float32(0)
        for card in range(facts.num_cards):
            hidden += at.hidden[card]
            known += at.table[begin + facts.known + card]
        share = unknown / max(hidden, np.float32(1))
        hand, lower = max(known + unknown, np.float32(1)), np.float32(0)
        for card in range(facts.num_cards):
            at.lower[player, card] = lower
            chance = at.table[begin + facts.known + card] + share * at.hidden[card]
            lower += chance / hand


@called
def predict(facts: BiddingFacts, weights: Weights, player: int, at: Scratch) -> None:
    """Fills ``at.of_models`` and ``at.chances`` of an opponent."""
    begin = facts.players + player * facts.block
    known = at.table[begin + facts.known : begin + facts.known + facts.num_cards]
    unknown = at.table[begin + facts.unknown] * facts.most_unknown
    score_bids(facts, weights, player, known, unknown > 0, at)
    number = np.float32(0)
    for card in range(facts.num_cards):
        number += at.unseen[card]
    number = max(number, np.float32(1))
    memory = facts.memory + (player - 1) * facts.models
    at.chances[player] = 0
    for model in range(facts.models):
        chances = at.of_models[player, model]
        predict_by_scores(at.scores[model], known, unknown, at.unseen, number, chances)
        probability = np.float32(1)
        if facts.remembered:
            probability = at.table[memory + model]
        add_scaled(probability, chances, at.chances[player])


@called
def predict_by_scores(
    scores: Float32Array,
    known: Float32Array,
    unknown: np.float32,
    unseen: Float32Array,
    number: np.float32,
    chances: Float32Array,
) -> None:
    """Fills ``chances`` (C,) of an opponent by the scores (C,) of a model, which it overwrites.

    ``number`` is how many cards are unseen (C,); ``unknown`` of them are in the hand.
    """
    of_known = of_all = np.float32(-np.inf)
    for card in range(len(scores)):
        of_all = max(of_all, scores[card])
        if known[card] > 0:
            of_known = max(of_known, scores[card])
    unit = of_known if of_known > -np.inf else of_all
    # As in training, see there: a hidden card counts as far as it is likely to be in the hand.
    rest, of_drawn = np.float32(0), np.float32(0)
    for card in range(len(scores)):
        weight = np.float32(0)
        if scores[card] > -np.inf:
            weight = np.exp(min(scores[card] - unit, np.float32(MOST_LOG_WEIGHT)))
        scores[card] = weight
        rest += weight * known[card]
        of_drawn += weight * unseen[card]
    if unknown <= 0:
        of_drawn = np.float32(0)
    rest += max(unknown - 1, np.float32(0)) * of_drawn / number
    of_hands = np.float32(0)
    for card in range(len(scores)):
        of_hands += unseen[card] / (scores[card] + rest + np.float32(LEAST))
    of_hands = of_hands / number if unknown > 0 else 1 / (rest + np.float32(LEAST))
    total = np.float32(0)
    for card in range(len(scores)):
        weight = scores[card]
        drawn = unseen[card] / (weight + rest + np.float32(LEAST))
        chances[card] = weight * (unknown / number * drawn + known[card] * of_hands)
        total += chances[card]
    for card in range(len(scores)):
        chances[card] /= total + np.float32(LEAST)


@called
def score_bids(
    facts: BiddingFacts,
    weights: Weights,
    player: int,
    known: Float32Array,
    draws: bool,  # noqa: FBT001  # compiled functions are called by position
    at: Scratch,
) -> None:
    """Fills ``at.scores`` of the cards that an opponent may play; -inf for all others."""
    own = at.table[facts.size + player * PLAYER : facts.size + (player + 1) * PLAYER]
    start(weights.bid_player_bias, at.bid_base)
    multiply(own, weights.bid_player_weight, at.nonzero, at.bid_base)
    for place in range(facts.places):
        at.bid_prizes[place] = 0
        multiply(
            at.prize[player, place], weights.bid_prize_weight, at.nonzero, at.bid_prizes[place]
        )
    for colour in range(NUM_COLOURS):
        start(weights.bid_card_weight[CARD_FACTS - NUM_COLOURS + colour], at.bid_colours[colour])
        multiply(
            at.colours[player, colour],
            weights.bid_colour_weight,
            at.nonzero,
            at.bid_colours[colour],
        )
    read_hand(facts, player, known, at)
    for card in range(facts.num_cards):
        at.scores[:, card] = -np.inf
        if known[card] > 0 or (draws and at.unseen[card] > 0):
            colour = facts.card_colours[card]
            place_chances(facts.places, at.lower[:, card], player, at.places)
            for unit in range(HIDDEN):
                at.bid[unit] = at.bid_base[unit] + at.bid_colours[colour, unit]
            multiply(at.places, at.bid_prizes, at.nonzero, at.bid)
            for fact in range(CARD_FACTS - NUM_COLOURS):
                add_scaled(facts.card_facts[card, fact], weights.bid_card_weight[fact], at.bid)
            multiply(at.of_hand[card], weights.bid_hand_weight, at.nonzero, at.bid)
            leak(at.bid)
            start(weights.bid_2_bias, at.bid_2)
            multiply(at.bid, weights.bid_2_weight, at.nonzero, at.bid_2)
            leak(at.bid_2)
            for model in range(facts.models):
                at.scores[model, card] = dot(at.bid_2, weights.bid_score_weight[:, model])


@called
def read_hand(facts: BiddingFacts, player: int, hand: Float32Array, at: Scratch) -> None:
    """Fills ``at.of_hand`` for a player with this hand (C,)."""
    begin = facts.players + player * facts.block + facts.known
    best, second = np.float32(LEAST_POINTS), np.float32(LEAST_POINTS)
    for card in range(facts.num_cards):
        if hand[card] > 0:
            points = at.points[player, facts.card_colours[card]] + facts.card_bonus[card]
            second = max(second, min(points, best))
            best = max(best, points)
    for card in range(facts.num_cards):
        points = at.points[player, facts.card_colours[card]] + facts.card_bonus[card]
        other = second if hand[card] > 0 and points >= best else best
        at.of_hand[card, 0] = at.table[begin + card]
        at.of_hand[card, 1] = max(points - other, np.float32(0)) / np.float32(POINTS)
        at.of_hand[card, 2] = other / np.float32(POINTS)


@compiled
def place_chances(players: int, lower: Float32Array, own: int, places: Float32Array) -> None:
    """Fills ``places`` (P,): the distribution of the number of lower cards of all others.

    ``lower`` (P,) are the chances that the card of each player is lower.
    """
    places[:] = 0
    places[0] = 1
    for player in range(players):
        if player != own:
            chance = lower[player]
            for place in range(players - 1, 0, -1):
                places[place] += (places[place - 1] - places[place]) * chance
            places[0] *= 1 - chance


@compiled
def add_scaled(factor: np.float32, values: Float32Array, outputs: Float32Array) -> None:
    """Adds ``factor`` times ``values`` to ``outputs``."""
    for j in range(len(values)):
        outputs[j] += factor * values[j]


@compiled
def leak(values: Float32Array) -> None:
    for j in range(len(values)):
        values[j] = max(values[j], np.float32(LEAK) * values[j])


@compiled
def clamp(index: int, size: int) -> int:
    """An index inside an array of this size, whatever a row holds."""
    return min(max(index, 0), size - 1)
