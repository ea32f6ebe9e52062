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

from mindup_agents.heuristics.card_values import update_column_values, update_objective_values
from mindup_agents.heuristics.determinization import sample_determinization
from mindup_agents.heuristics.formulas import (
    GREEDY,
    PLANNER,
    RANDOM,
    best_prize_card,
    update_greedy_prize_values,
    update_planner_card_values,
    update_planner_values,
)
from mindup_agents.heuristics.observed_games import KnownGames, ObservedArrays, known_games
from mindup_agents.heuristics.prize_probabilities import (
    unseen_cards,
    update_prize_probabilities,
    update_uniform_probabilities,
)
from mindup_agents.heuristics.workspace import Float64Array, Workspace, best_card
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.arrays import allocate
from mindup_env.engine.compiler import called, compiled, kernel
from mindup_env.engine.state import Games, Int8Array, Rules
from mindup_env.settings.checks import suggestion

RANDOM_CARD_PROBABILITY = 0.1
"""That an opponent plays a uniformly random card instead of its model's: no model is exact."""
PRIOR = 0.2, 0.3, 0.5
"""The probabilities of the models random, greedy and planner before any play."""
PRIOR_WEIGHT = 0.02
"""The share of the prior mixed in each turn: a model may fit one phase of a game only."""


class OpponentBeliefs(NamedTuple):
    """What player 0 of each of B games believes about its opponents; kept from turn to turn."""

    num_samples: int  # determinizations per turn
    prior: Float64Array  # (num_models,) probability of each model before any play
    model_probabilities: Annotated[Float64Array, "B", "num_players", "num_models"]  # now
    # Of the next card.
    card_probabilities: Annotated[Float64Array, "B", "num_players", "num_models", "num_cards"]
    shuffled: Annotated[Int8Array, "num_cards"]  # scratch for determinizations
    # The values of the formulas for each player, which are the same in all samples of a turn.
    greedy_prize_values: Annotated[Float64Array, "num_players", "num_players"]
    planner_prize_values: Annotated[Float64Array, "num_players", "num_players"]
    planner_keep_values: Annotated[Float64Array, "num_players", "num_cards"]
    planner_play_values: Annotated[Float64Array, "num_players", "num_cards"]


def read_prior(models: str, available: Sequence[str]) -> tuple[float, ...]:
    """The probability of each available model: the same for those named, joined by ``+``."""
    names = models.split("+")
    for name in names:
        if name not in available:
            raise ValueError(
                f"models must be names joined by '+', not {models!r}: there is no "
                f"{name!r}{suggestion(name, available)}"
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
        probabilities, total = beliefs.model_probabilities[g, opponent], 0.0
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
) -> None:
    """Fills ``beliefs.card_probabilities`` by the cards of the models in sampled hands.

    The hands agree with what ``sampled`` knows of them, and the opponents with what ``known`` does.
    """
    begin_predictions(known, g, workspace, beliefs)
    predict_random_cards(sampled, g, beliefs)
    for sample in range(beliefs.num_samples):
        sample_determinization(sampled, g, row_bits, sample, beliefs.shuffled)
        for opponent in range(1, known.rules.num_players):
            needed = samples_needed(sampled, g, opponent, beliefs)
            if sample < needed:
                add_formula_cards(known, g, opponent, 1 / needed, workspace, beliefs)


@compiled
def samples_needed(known: KnownGames, g: int, opponent: int, beliefs: OpponentBeliefs) -> int:
    """How often the hand of an opponent is sampled: once if it is known."""
    return beliefs.num_samples if known.num_hidden[g, opponent] > 0 else 1


@called
def begin_predictions(
    known: KnownGames, g: int, workspace: Workspace, beliefs: OpponentBeliefs
) -> None:
    """Updates the values of the formulas that are the same in all samples."""
    rules, games = known.rules, known.games
    update_column_values(rules, games, g, workspace)
    unseen = unseen_cards(known, g, 0)
    for opponent in range(1, rules.num_players):
        update_objective_values(rules, games, g, opponent, workspace)
        prize_values = beliefs.greedy_prize_values[opponent]
        update_greedy_prize_values(known, g, opponent, workspace, prize_values)
        cards, num_hidden = known.cards[g, opponent], known.num_hidden[g, opponent]
        if num_hidden > 0:
            cards |= unseen
        hand_size = bitset.size(known.cards[g, opponent]) + num_hidden
        own_workspace = opponent_workspace(opponent, workspace, beliefs)
        update_planner_values(known, g, opponent, cards, hand_size, own_workspace)


@called
def add_formula_cards(
    known: KnownGames,
    g: int,
    opponent: int,
    weight: float,
    workspace: Workspace,
    beliefs: OpponentBeliefs,
) -> None:
    """Adds the cards of greedy and planner in the hand of a sample, which has this weight."""
    share = (1 - RANDOM_CARD_PROBABILITY) * weight
    hand = known.games.hands[g, opponent]
    probabilities = beliefs.card_probabilities[g, opponent]
    own_workspace = opponent_workspace(opponent, workspace, beliefs)
    update_uniform_probabilities(known, g, opponent, own_workspace)
    prize_values = beliefs.greedy_prize_values[opponent]
    probabilities[GREEDY, best_prize_card(hand, prize_values, own_workspace)] += share
    update_planner_card_values(hand, own_workspace)
    probabilities[PLANNER, best_card(hand, own_workspace)] += share


@compiled
def opponent_workspace(opponent: int, workspace: Workspace, beliefs: OpponentBeliefs) -> Workspace:
    """The workspace with the planner's values of an opponent in it."""
    return Workspace(
        *workspace[:-4],
        beliefs.planner_prize_values[opponent],
        beliefs.planner_keep_values[opponent],
        beliefs.planner_play_values[opponent],
        workspace.card_values,
    )


@called
def predict_random_cards(known: KnownGames, g: int, beliefs: OpponentBeliefs) -> None:
    """Fills ``beliefs.card_probabilities``: the random model, and the random part of the others."""
    rules = known.rules
    unseen = unseen_cards(known, g, 0)
    for opponent in range(1, rules.num_players):
        cards, num_hidden = known.cards[g, opponent], known.num_hidden[g, opponent]
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
def update_predicted_probabilities(
    rules: Rules, games: Games, g: int, workspace: Workspace, beliefs: OpponentBeliefs
) -> None:
    """Fills ``workspace.prize_probabilities`` of player 0 by the predicted cards."""
    for opponent in range(1, rules.num_players):
        lower = 0.0
        for card in range(len(rules.card_colours)):
            workspace.lower_probabilities[opponent, card] = lower
            for model in range(len(beliefs.prior)):
                probability = beliefs.card_probabilities[g, opponent, model, card]
                lower += beliefs.model_probabilities[g, opponent, model] * probability
    update_prize_probabilities(rules, games.hands[g, 0], workspace)


@kernel
def update_all_beliefs(
    arrays: ObservedArrays,
    workspace_: tuple[Any, ...],
    beliefs_: tuple[Any, ...],
    random_bits: npt.NDArray[np.uint64],
) -> None:
    """Updates the beliefs of B games by the cards of the last turn, and predicts the next cards."""
    known = known_games(*arrays)
    workspace, beliefs = Workspace(*workspace_), OpponentBeliefs(*beliefs_)
    for g in range(len(random_bits)):
        update_beliefs(known.games, g, beliefs)
        predict_cards(known, g, known, random_bits[g], workspace, beliefs)
