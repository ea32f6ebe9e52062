"""A model of opponents who search: they value each card by games that go on to the round's end.

The cards of every opponent are played in sampled games, as the bot ``search`` plays its own, and
the rest is played by planner. The better a card does, the more often the model plays it.
"""

from typing import Any, NamedTuple

import numpy as np

from mindup_agents.champion_2.seat_networks import seat_networks
from mindup_agents.heuristics.observed_games import KnownCards
from mindup_agents.heuristics.opponent_model import (
    NUM_MODELS,
    PLANNER,
    RANDOM_CARD_PROBABILITY,
    OpponentBeliefs,
)
from mindup_agents.heuristics.playout import (
    NO_RANDOM_CARD,
    PlayoutState,
    choose_first_cards,
    copy_position,
    copy_values,
    make_sample_bits,
    run_playout,
    sample_opponent_models,
    uniform,
)
from mindup_agents.heuristics.win_probability import win_probability
from mindup_agents.heuristics.workspace import Float64Array
from mindup_agents.search.sampled_games import write_sampled_game
from mindup_env.belief.hidden import HiddenPart
from mindup_env.config import GameConfig
from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import called, compiled, kernel
from mindup_env.engine.state import Games, Rules

SEARCH = NUM_MODELS
"""The number of the model, after random, greedy and planner."""
OTHERS = 0.6, 0.1, 0.3
"""How likely the others play a card of random, greedy and planner, in the opponent's own model."""
TEMPERATURE = 0.02
"""A win probability that is so much higher makes a card e = 2.7 times as likely."""


class SearchModel(NamedTuple):
    """The model in B positions."""

    values: Float64Array  # (B, num_players, num_cards) mean win probability after each card
    counts: Float64Array  # (num_players, num_cards) sampled games in which the card was played
    others: Float64Array  # (num_players, 3) the probabilities OTHERS of each player
    probabilities: Float64Array  # (num_cards,) scratch: of the cards of one hand


def make_search_model(config: GameConfig, rows: int) -> SearchModel:
    cards = config.num_players, config.num_cards
    return SearchModel(
        values=np.zeros((rows, *cards)),
        counts=np.zeros(cards),
        others=np.tile(OTHERS, (config.num_players, 1)),
        probabilities=np.zeros(config.num_cards),
    )


@kernel
def search_for_opponents(
    arrays: tuple[tuple[Any, ...], ...], g: int, row_bits: np.uint64, num_samples: int
) -> None:
    """Fills the model for game ``g``.

    ``arrays`` are the LookaheadArrays, whose first sampled games are used.
    """
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    hidden, game, game_known = HiddenPart(*arrays[3]), Games(*arrays[4]), KnownCards(*arrays[5])
    playout, formulas = PlayoutState(*arrays[6]), seat_networks(arrays[7]).workspace.formulas
    model = SearchModel(*arrays[9])
    values = model.values[g]
    values[:] = 0
    model.counts[:] = 0
    for sample in range(num_samples):
        sample_bits = make_sample_bits(row_bits, sample)
        write_sampled_game(rules, games, known, g, hidden, sample, game)
        copy_position(games, g, game)
        sample_opponent_models(rules, game, playout, model.others, sample_bits)
        choose_first_cards(rules, game, game_known, playout, formulas)
        playout.models[:] = PLANNER
        playout.random_bits[:] = NO_RANDOM_CARD
        for opponent in range(1, rules.num_players):
            hand = games.hands[g, opponent]
            while hand != 0:
                card = bitset.lowest(hand)
                hand &= hand - 1
                copy_position(games, g, game)
                copy_values(playout.first_cards, playout.cards[0])
                playout.cards[0, opponent] = card
                run_playout(rules, game, game_known, playout, formulas)
                value = win_probability(rules, game, opponent)
                model.counts[opponent, card] += 1
                step = value - values[opponent, card]
                values[opponent, card] += step / model.counts[opponent, card]


@called
def add_search_cards(
    games: Games, g: int, weight: float, model: SearchModel, beliefs: OpponentBeliefs
) -> None:
    """Adds the cards of the model in the hands of a sample, as ``add_formula_cards``."""
    share = (1 - RANDOM_CARD_PROBABILITY) * weight
    for opponent in range(1, games.hands.shape[1]):
        predicted = beliefs.card_probabilities[g, opponent, SEARCH]
        add_probabilities(games.hands[g, opponent], model.values[g, opponent], share, predicted)


@called
def draw_search_cards(
    rules: Rules,
    games: Games,
    playout: PlayoutState,
    sample_bits: np.uint64,
    model: SearchModel,
    g: int,
) -> None:
    """Replaces the first cards of the opponents who search, in a sampled game of game ``g``."""
    for opponent in range(1, rules.num_players):
        slips = playout.random_bits[games.clock[0], opponent] != NO_RANDOM_CARD
        if playout.models[opponent] == SEARCH and not slips:
            model.probabilities[:] = 0
            values = model.values[g, opponent]
            add_probabilities(games.hands[0, opponent], values, 1.0, model.probabilities)
            block = streams.philox(
                np.uint64(0), np.uint64(opponent), np.uint64(0), np.uint64(6), sample_bits
            )
            rest, remaining = games.hands[0, opponent], uniform(block[0])
            while rest != 0:
                playout.first_cards[opponent] = bitset.lowest(rest)
                remaining -= model.probabilities[bitset.lowest(rest)]
                if remaining < 0:
                    break
                rest &= rest - 1


@compiled
def add_probabilities(hand: int, values: Float64Array, share: float, out: Float64Array) -> None:
    """Adds ``share`` of the probability of each card of a hand to ``out`` (num_cards,)."""
    best, rest = 0.0, hand
    while rest != 0:
        card = bitset.lowest(rest)
        rest &= rest - 1
        best = max(best, values[card])
    total, rest = 0.0, hand
    while rest != 0:
        card = bitset.lowest(rest)
        rest &= rest - 1
        total += np.exp((values[card] - best) / TEMPERATURE)
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        out[card] += share * np.exp((values[card] - best) / TEMPERATURE) / total
