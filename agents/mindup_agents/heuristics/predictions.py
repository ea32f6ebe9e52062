"""Predictions of the opponents' cards, by models fitted to what they played.

The models are uniformly random play, ``greedy`` and ``planner``. Each turn, the hidden cards
are sampled, and the card of each model is computed for each opponent, from what that opponent
knows. The probability of each model, for each opponent, follows by Bayes' rule from the cards that
it played. A bot can add models of its own after these: it adds their cards to the predictions.
"""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.card_values import (
    ColumnValues,
    HandValues,
    Workspace,
    best_card,
    fill_objective_gains,
    fill_prize_probabilities,
    fill_uniform_probabilities,
    value_columns,
)
from mindup_agents.heuristics.formulas import (
    GREEDY,
    PLANNER,
    RANDOM,
    fill_greedy_prizes,
    fill_planner_parts,
    greedy_values,
    planner_values,
)
from mindup_agents.heuristics.observed_games import KnownGames, unseen_cards
from mindup_agents.heuristics.worlds import copy_values, sample_determinization
from mindup_env.checks import InputError, shown, suggestion
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.arrays import allocate
from mindup_env.engine.compiler import called, compiled, scalar_kernel, typed_once
from mindup_env.engine.state import Float64Array, Games, Int8Array, Rules

RANDOM_CARD_PROBABILITY = 0.1  # of a card other than the model's: no model is exact
PRIOR_WEIGHT = 0.02  # of the prior, mixed in each turn: a model may fit one phase of a game only


class OpponentBeliefs(NamedTuple):
    """What player 0 of each of B games believes about its opponents; kept from turn to turn."""

    num_samples: int  # determinizations per turn
    prior: Float64Array  # (num_models,) probability of each model before any play
    model_probabilities: Annotated[Float64Array, "B", "num_players", "num_models"]  # now
    # that an opponent plays each card next
    card_probabilities: Annotated[Float64Array, "B", "num_players", "num_models", "num_cards"]
    shuffled: Annotated[Int8Array, "num_cards"]  # scratch for determinizations


def read_prior(models: str, available: Sequence[str]) -> tuple[float, ...]:
    """The probability of each available model: the same for those named, joined by ``+``."""
    names = models.split("+")
    for name in names:
        if name not in available:
            raise InputError(
                f"models must be names joined by '+', not {shown(models)}: there is no "
                f"{shown(name)}{suggestion(name, available)}"
            )
    return tuple((name in names) / len(set(names)) for name in available)


def make_opponent_beliefs(
    config: GameConfig, rows: int, num_samples: int, prior: tuple[float, ...]
) -> OpponentBeliefs:
    values = {"num_samples": num_samples, "prior": np.array(prior)}
    return allocate(OpponentBeliefs, config, values, B=rows, num_models=len(prior))


@called
def update_beliefs(games: Games, g: int, beliefs: OpponentBeliefs) -> None:
    """Updates ``beliefs.model_probabilities`` by the cards of the last turn (Bayes' rule).

    Probabilities that are all 0 start again from the prior.
    """
    prior = beliefs.prior
    for opponent in range(1, beliefs.model_probabilities.shape[1]):
        probabilities = beliefs.model_probabilities[g, opponent]
        total = 0.0
        if games.clock[g] > 0:
            card = games.played[g, games.clock[g] - 1, opponent]
            for model in range(len(prior)):
                probabilities[model] *= beliefs.card_probabilities[g, opponent, model, card]
                total += probabilities[model]
        for model in range(len(prior)):
            if total > 0:
                posterior = (1 - PRIOR_WEIGHT) * probabilities[model] / total
                probabilities[model] = posterior + PRIOR_WEIGHT * prior[model]
            else:
                probabilities[model] = prior[model]


@called
def predict_cards(
    known: KnownGames,
    g: int,
    sampled: KnownGames,
    row_bits: np.uint64,
    workspace: Workspace,
    beliefs: OpponentBeliefs,
) -> ColumnValues:
    """Fills ``beliefs.card_probabilities`` by the cards of the models in sampled hands.

    The hands agree with what ``sampled`` knows of them, and the opponents with what ``known`` does.
    Returns the values of the columns.
    """
    columns = fill_opponent_values(known, g, workspace)
    predict_random_cards(sampled, g, beliefs)
    for sample in range(beliefs.num_samples):
        sample_determinization(sampled, g, row_bits, sample, beliefs.shuffled)
        for opponent in range(1, known.rules.num_players):
            share = share_of_sample(sampled, g, opponent, sample, beliefs)
            if share > 0:
                hand = known.games.hands[g, opponent]
                probabilities = beliefs.card_probabilities[g, opponent]
                fill_uniform_probabilities(known, g, opponent, workspace.hand)
                values = greedy_values(hand, opponent, workspace)
                probabilities[GREEDY, best_card(hand, values.totals)] += share
                values = planner_values(hand, opponent, workspace)
                probabilities[PLANNER, best_card(hand, values.totals)] += share
    return columns


@compiled
def share_of_sample(
    known: KnownGames, g: int, opponent: int, sample: int, beliefs: OpponentBeliefs
) -> float:
    """The share of a sampled hand in a model's card: a known hand is its only sample."""
    needed = beliefs.num_samples if known.num_hidden[g, opponent] > 0 else 1
    return (1 - RANDOM_CARD_PROBABILITY) * (1 / needed) if sample < needed else 0.0


@called
def fill_opponent_values(known: KnownGames, g: int, workspace: Workspace) -> ColumnValues:
    """Fills the parts of the formulas for all opponents, which are the same in all samples."""
    columns = value_columns(known.rules, known.games, g, workspace.columns)
    seats = workspace.seats
    unseen = unseen_cards(known, g, 0)
    for opponent in range(1, known.rules.num_players):
        fill_objective_gains(known.rules, known.games, g, opponent, seats)
        fill_greedy_prizes(known, g, opponent, columns, seats)
        cards = known.cards[g, opponent]
        num_hidden = known.num_hidden[g, opponent]
        hand_size = bitset.size(cards) + num_hidden
        if num_hidden > 0:
            cards |= unseen
        fill_planner_parts(known, g, opponent, cards, hand_size, columns, seats)
    return columns


@called
def predict_random_cards(known: KnownGames, g: int, beliefs: OpponentBeliefs) -> None:
    """Fills ``beliefs.card_probabilities``: the random model, and the random part of the others."""
    rules = known.rules
    unseen = unseen_cards(known, g, 0)
    for opponent in range(1, rules.num_players):
        cards = known.cards[g, opponent]
        num_hidden = known.num_hidden[g, opponent]
        hand_size = max(bitset.size(cards) + num_hidden, 1)
        for card in range(len(rules.card_colours)):
            probability = 0.0
            if bitset.contains(cards, card):
                probability = 1 / hand_size
            elif bitset.contains(unseen, card):
                probability = num_hidden / bitset.size(unseen) / hand_size
            probabilities = beliefs.card_probabilities[g, opponent]
            for model in range(len(probabilities)):
                probabilities[model, card] = RANDOM_CARD_PROBABILITY * probability
            probabilities[RANDOM, card] = probability


@compiled
def fill_predicted_probabilities(
    rules: Rules, games: Games, g: int, values: HandValues, beliefs: OpponentBeliefs
) -> None:
    """Fills the probabilities of the hand of player 0 by the predicted cards."""
    for opponent in range(1, rules.num_players):
        lower = 0.0
        for card in range(len(rules.card_colours)):
            values.lower_probabilities[opponent, card] = lower
            for model in range(len(beliefs.prior)):
                probability = beliefs.card_probabilities[g, opponent, model, card]
                lower += beliefs.model_probabilities[g, opponent, model] * probability
    fill_prize_probabilities(rules, 0, games.hands[g, 0], values)


def keep_games(now: KnownGames, before: KnownGames) -> None:
    """Keeps the games for the next turn."""
    new: tuple[npt.NDArray[Any], ...] = (*now.games, now.cards, now.num_hidden)
    old: tuple[npt.NDArray[Any], ...] = (*before.games, before.cards, before.num_hidden)
    for of_now, of_before in zip(new, old, strict=True):
        of_before[...] = of_now


@compiled
def add_played_cards(games: Games, before: KnownGames, g: int, sampled: KnownGames) -> bool:
    """Fills ``sampled``: what was known of the hands before the turn, and the cards played in it.

    Returns False if game ``g`` is not one turn after the game before.
    """
    clock = before.games.clock[g]
    num_players = before.rules.num_players
    if games.clock[g] != clock + 1:
        return False
    unseen = unseen_cards(before, g, 0)
    copy_values(before.cards[g], sampled.cards[g])
    copy_values(before.num_hidden[g], sampled.num_hidden[g])
    for opponent in range(1, num_players):
        card = games.played[g, clock, opponent]
        if not bitset.contains(before.cards[g, opponent], card):
            if before.num_hidden[g, opponent] == 0 or not bitset.contains(unseen, card):
                return False
            sampled.cards[g, opponent] |= bitset.one(card)
            sampled.num_hidden[g, opponent] -= 1
    return True


class LastTurn(NamedTuple):
    """What B seats learn from."""

    now: KnownGames
    before: KnownGames  # the games as they were known before the turn
    sampled: KnownGames  # the same; ``add_played_cards`` makes the cards played known
    workspace: Workspace
    beliefs: OpponentBeliefs
    random_bits: npt.NDArray[np.uint64]  # (B,)


@typed_once
@scalar_kernel
def predict_last_turn(turn: LastTurn) -> None:
    """Fills ``card_probabilities`` of the last turn of B games, by the models that are formulas.

    Where the game before the turn is unknown, all probabilities are 1: they tell no models apart.
    """
    before = turn.before
    sampled = turn.sampled
    for g in range(len(turn.random_bits)):
        if add_played_cards(turn.now.games, before, g, sampled):
            predict_cards(before, g, sampled, turn.random_bits[g], turn.workspace, turn.beliefs)
        else:
            turn.beliefs.card_probabilities[g] = 1.0


@typed_once
@scalar_kernel
def update_all_beliefs(now: KnownGames, beliefs: OpponentBeliefs) -> None:
    """Updates the probabilities of the models in B games by the cards of the last turn."""
    for g in range(len(now.games.clock)):
        update_beliefs(now.games, g, beliefs)
