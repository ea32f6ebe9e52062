"""What the others are expected to play: by models of them, in sampled worlds.

How likely each model is for each rival is learnt from what it played before.
"""

from typing import NamedTuple

import numpy as np

from mindup_agents.heuristics.card_values import look_at_columns, look_at_objectives
from mindup_agents.heuristics.determinization import count_hidden, imagine
from mindup_agents.heuristics.greedy_values import greediest_card, greedy_prizes
from mindup_agents.heuristics.observed_games import Known
from mindup_agents.heuristics.planner_values import plan, planner_values
from mindup_agents.heuristics.prize_probabilities import expect_any_card, find_places, unseen_by
from mindup_agents.heuristics.workspace import Floats, Workspace, best_card
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.state import Games, Int8Array, Rules

MODELS = "random", "greedy", "planner"
RANDOM, GREEDY, PLANNER = range(len(MODELS))
NUM_MODELS = len(MODELS)

SLIP = 0.1
"""How often a rival plays any card instead of what its model would: no model is exact."""
DOUBT = 0.02
"""How much of the first belief comes back each turn: a model may fit one phase only."""


class Forecast(NamedTuple):
    """What is expected of every rival of the first player in B games; it lasts between turns."""

    worlds: int  # to sample each turn
    first_belief: Floats  # (num_models,) how likely each model is before anything was played
    belief: Floats  # (B, num_players, num_models) how likely it is now
    chances: Floats  # (B, num_players, num_models, num_cards) that it plays a card now
    order: Int8Array  # (num_cards,) room to shuffle in
    # What prizes and cards are worth to every player, by its greed and by its plan.
    greed: Floats  # (num_players, num_players)
    prizes: Floats  # (num_players, num_players)
    keeps: Floats  # (num_players, num_cards)
    plays: Floats  # (num_players, num_cards)


def make_forecast(
    config: GameConfig, rows: int, worlds: int, first_belief: tuple[float, ...]
) -> Forecast:
    players, cards = config.num_players, config.num_cards
    models = rows, players, NUM_MODELS
    return Forecast(
        worlds=worlds,
        first_belief=np.array(first_belief),
        belief=np.zeros(models),
        chances=np.zeros((*models, cards)),
        order=np.zeros(cards, np.int8),
        greed=np.zeros((players, players)),
        prizes=np.zeros((players, players)),
        keeps=np.zeros((players, cards)),
        plays=np.zeros((players, cards)),
    )


@called
def learn(games: Games, g: int, forecast: Forecast) -> None:
    """A model that gave what was played a higher chance becomes more likely.

    Where nothing is believed yet the first belief is taken.
    """
    first = forecast.first_belief
    for rival in range(1, forecast.belief.shape[1]):
        belief, total = forecast.belief[g, rival], 0.0
        if games.clock[g] > 0:
            card = games.played[g, games.clock[g] - 1, rival]
            for model in range(NUM_MODELS):
                belief[model] *= forecast.chances[g, rival, model, card]
                total += belief[model]
        for model in range(NUM_MODELS):
            if total > 0:
                belief[model] = (1 - DOUBT) * belief[model] / total + DOUBT * first[model]
            else:
                belief[model] = first[model]


@called
def foresee(
    rules: Rules,
    games: Games,
    known: Known,
    g: int,
    row_bits: np.uint64,
    workspace: Workspace,
    forecast: Forecast,
) -> None:
    """Fills ``forecast.chances`` by what the models would play in sampled worlds."""
    foresee_any_card(rules, games, known, g, forecast)
    look_at_columns(rules, games, g, workspace)
    unseen = unseen_by(rules, games, known, g, 0)
    for rival in range(1, rules.num_players):
        look_at_objectives(rules, games, g, rival, workspace)
        greedy_prizes(rules, games, g, rival, workspace, forecast.greed[rival])
        cards, others = known.cards[g, rival], known.others[g, rival]
        if others > 0:
            cards |= unseen
        hand_size = bitset.size(known.cards[g, rival]) + others
        plan(rules, games, g, rival, cards, hand_size, workspace_of(rival, workspace, forecast))
    worlds = forecast.worlds if count_hidden(rules, known, g) > 0 else 1
    share = (1 - SLIP) / worlds
    for world in range(worlds):
        imagine(rules, games, known, g, row_bits, world, forecast.order)
        for rival in range(1, rules.num_players):
            chances, workspace = (
                forecast.chances[g, rival],
                workspace_of(rival, workspace, forecast),
            )
            hand = games.hands[g, rival]
            expect_any_card(rules, games, known, g, rival, workspace)
            chances[GREEDY, greediest_card(hand, forecast.greed[rival], workspace)] += share
            planner_values(hand, workspace)
            chances[PLANNER, best_card(hand, workspace)] += share


@compiled
def workspace_of(rival: int, workspace: Workspace, forecast: Forecast) -> Workspace:
    """In which its plan stands, and remains standing from world to world."""
    return Workspace(
        workspace.tops,
        workspace.openings,
        workspace.gains,
        workspace.lower,
        workspace.places,
        forecast.prizes[rival],
        forecast.keeps[rival],
        forecast.plays[rival],
        workspace.values,
    )


@called
def foresee_any_card(rules: Rules, games: Games, known: Known, g: int, forecast: Forecast) -> None:
    """All of the random model, and the slips of the others."""
    unseen = unseen_by(rules, games, known, g, 0)
    for rival in range(1, rules.num_players):
        cards, others = known.cards[g, rival], known.others[g, rival]
        hand_size = max(bitset.size(cards) + others, 1)
        for card in range(len(rules.card_colours)):
            chance = 0.0
            if bitset.contains(cards, card):
                chance = 1 / hand_size
            elif bitset.contains(unseen, card):
                chance = others / bitset.size(unseen) / hand_size
            for model in range(NUM_MODELS):
                forecast.chances[g, rival, model, card] = SLIP * chance
            forecast.chances[g, rival, RANDOM, card] = chance


@compiled
def expect_forecast(
    rules: Rules, games: Games, g: int, workspace: Workspace, forecast: Forecast
) -> None:
    """Fills ``workspace.lower`` and ``workspace.places`` of the first player by the forecast."""
    for rival in range(1, rules.num_players):
        lower = 0.0
        for card in range(len(rules.card_colours)):
            workspace.lower[rival, card] = lower
            for model in range(NUM_MODELS):
                chance = forecast.chances[g, rival, model, card]
                lower += forecast.belief[g, rival, model] * chance
    find_places(rules, 0, games.hands[g, 0], workspace)
