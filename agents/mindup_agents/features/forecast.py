"""What each card of the hand may bring, foreseen from models of the others.

The cards of the others are predicted as the bot ``predictor`` predicts them, and what a card is
expected to bring is written down in parts: a network weighs them better than a rule of thumb. On
the table, what matters beyond single cards: scores, columns, prizes, and what others make of them.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import NO_CARD, Shape
from mindup_agents.heuristics.card_values import look_at_objectives, points_of
from mindup_agents.heuristics.observed_games import Known, ObservedGames
from mindup_agents.heuristics.opponent_model import (
    NUM_MODELS,
    Forecast,
    expect_forecast,
    foresee,
    learn,
    make_forecast,
)
from mindup_agents.heuristics.planner_values import plan, planner_values, strength
from mindup_agents.heuristics.prize_probabilities import expected_prize
from mindup_agents.heuristics.workspace import Workspace, best_card, make_workspace
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled, kernel
from mindup_env.engine.conditions import objectives_met
from mindup_env.engine.results import round_score
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Games, Int8Array, Rules
from mindup_env.objectives import NUM_OBJECTIVES

Floats = npt.NDArray[np.float32]
Parts = npt.NDArray[np.float64]  # (num_players + 1, NUM_PARTS)

ForecastArrays = tuple[tuple[Any, ...], ...]
"""The fields of Rules, Games, Known, Room and Forecast."""

WORLDS = 16
FIRST_BELIEF = 0.2, 0.3, 0.5

# What points, numbers of turns and of cards are divided by, to be of the size of 1.
POINTS, SCORES, TURNS, CARDS = 5.0, 20.0, 8.0, 4.0

# The parts of a prize's value, each expected for every card.
OWN_POINTS, OWN_OBJECTIVES, OPENING, STRENGTH, OTHERS_POINTS = range(5)
NUM_PARTS = 5


def forecast_shape(config: GameConfig) -> Shape:
    players, rivals = config.num_players, config.num_players - 1
    prizes = players * (2 + NUM_PARTS + rivals)
    seats = players * (3 + 2 * NUM_COLUMNS) + rivals * (NUM_MODELS + 2)
    table = config.num_rounds + 2 + NUM_COLUMNS + 3 * NUM_OBJECTIVES + prizes + seats
    card = 4 + NUM_COLOURS + 2 * NUM_PARTS + players + 2 * rivals
    return Shape(table, card, config.largest_hand)


class ForecastFeatures:
    """Expected values of each card, from a forecast of the opponents' cards.

    They come with a summary of scores, columns and prizes instead of the whole observation.
    """

    name = "forecast-1"

    def __init__(self, config: GameConfig) -> None:
        self.shape = forecast_shape(config)
        self._config = config
        self._workspace = tuple(make_workspace(config))
        self._parts = np.zeros((config.num_players + 1, NUM_PARTS))
        self._make_memory(0)

    def _make_memory(self, rows: int) -> None:
        self._observed = ObservedGames(self._config, rows)
        self._forecast = make_forecast(self._config, rows, WORLDS, FIRST_BELIEF)

    def fill(
        self,
        observation: Int8Array,
        action_mask: Int8Array,  # noqa: ARG002  # the hand is in the observation too
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        out: Floats,
    ) -> None:
        if len(observation) != self._observed.rows:
            self._make_memory(len(observation))
        self._observed.read(observation)
        self._forecast.belief[episode_start] = 0
        fill_forecast(self.arrays, random_bits, self._parts, out)

    @property
    def arrays(self) -> ForecastArrays:
        """What was read and thought last."""
        return (*self._observed.arrays, self._workspace, tuple(self._forecast))


@kernel
def fill_forecast(
    arrays: ForecastArrays,
    random_bits: npt.NDArray[np.uint64],
    parts: Parts,
    out: Floats,
) -> None:
    """Fills ``out`` (B, size); ``parts`` is room for those of the prizes and of a card."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), Known(*arrays[2])
    workspace, forecast = Workspace(*arrays[3]), Forecast(*arrays[4])
    for row in range(len(out)):
        learn(games, row, forecast)
        foresee(rules, games, known, row, random_bits[row], workspace, forecast)
        expect_forecast(rules, games, row, workspace, forecast)
        look_at_objectives(rules, games, row, 0, workspace)
        hand = games.hands[row, 0]
        plan(rules, games, row, 0, hand, bitset.size(hand), workspace)
        planner_values(hand, workspace)
        for place in range(rules.num_players):
            take_apart(rules, games.row[row, place], workspace, parts[place])
        at = write_table(rules, games, row, out[row])
        at = write_prizes(rules, games, row, workspace, parts, out[row], at)
        at = write_seats(rules, games, known, row, forecast, out[row], at)
        write_hand(rules, games, known, row, workspace, parts, out[row, at:])


@called
def take_apart(
    rules: Rules, card: int, workspace: Workspace, parts: npt.NDArray[np.float64]
) -> None:
    """Fills ``parts`` (NUM_PARTS,) with what ``card`` is worth as a prize."""
    colour = rules.card_colours[card]
    parts[OWN_POINTS] = points_of(rules, 0, card, workspace)
    parts[OWN_OBJECTIVES] = workspace.gains[0, colour]
    parts[OPENING] = workspace.openings[0, colour]
    parts[STRENGTH] = strength(rules, card)
    parts[OTHERS_POINTS] = others_points(rules, card, workspace)


@compiled
def others_points(rules: Rules, card: int, workspace: Workspace) -> float:
    """What a card is worth to the others, on average."""
    total = 0.0
    for rival in range(1, rules.num_players):
        total += points_of(rules, rival, card, workspace)
    return total / (rules.num_players - 1)


@called
def write_table(rules: Rules, games: Games, g: int, out: Floats) -> int:
    """Rounds and turns, score cards and objectives; where the next part begins."""
    clock = games.clock[g]
    round_ = rules.round_at[clock]
    for each in range(rules.num_rounds):
        out[each] = each == round_
    at = rules.num_rounds
    out[at] = bitset.size(games.hands[g, 0]) / TURNS
    out[at + 1] = bitset.size(games.hands[g, 0]) <= 2
    at += 2
    for column in range(NUM_COLUMNS):
        out[at + column] = games.score_cards[g, round_, column] / NUM_COLUMNS
    at += NUM_COLUMNS
    out[at : at + 3 * NUM_OBJECTIVES] = 0
    if games.objectives.shape[2] > 0:
        own = objectives_met(rules, games, g, 0)
        for place in range(games.objectives.shape[2]):
            objective = games.objectives[g, round_, place]
            out[at + objective] = 1
            out[at + NUM_OBJECTIVES + objective] = bitset.contains(own, objective)
            for rival in range(1, rules.num_players):
                met = bitset.contains(objectives_met(rules, games, g, rival), objective)
                out[at + 2 * NUM_OBJECTIVES + objective] += met / (rules.num_players - 1)
    return at + 3 * NUM_OBJECTIVES


@called
def write_prizes(
    rules: Rules, games: Games, g: int, workspace: Workspace, parts: Parts, out: Floats, at: int
) -> int:
    """The row: each prize by its parts, and what it is worth to each of the others."""
    for place in range(rules.num_players):
        prize = games.row[g, place]
        out[at] = prize / len(rules.card_colours)
        out[at + 1] = games.columns[g, 0, rules.card_colours[prize]] == NOTHING
        for part in range(NUM_PARTS):
            out[at + 2 + part] = parts[place, part] / POINTS
        at += 2 + NUM_PARTS
        for rival in range(1, rules.num_players):
            out[at] = points_of(rules, rival, prize, workspace) / POINTS
            at += 1
    return at


@called
def write_seats(
    rules: Rules, games: Games, known: Known, g: int, forecast: Forecast, out: Floats, at: int
) -> int:
    """Scores and columns of everybody, and how the others seem to play."""
    round_ = rules.round_at[games.clock[g]]
    own = total_score(rules, games, g, 0)
    for player in range(rules.num_players):
        out[at] = (total_score(rules, games, g, player) - own) / SCORES
        out[at + 1] = round_score(games, g, round_, player) / SCORES
        out[at + 2] = mean_strength(rules, games.hands[g, player] | games.tableaux[g, player])
        at += 3
        out[at : at + 2 * NUM_COLUMNS] = 0
        for colour in range(NUM_COLOURS):
            cards = games.tableaux[g, player] & rules.colour_cards[colour]
            column = int(games.columns[g, player, colour])
            if column != NOTHING:
                out[at + column] = bitset.size(cards) / CARDS
            out[at + NUM_COLUMNS + colour] = (column + 1) / NUM_COLUMNS
        at += 2 * NUM_COLUMNS
    for rival in range(1, rules.num_players):
        for model in range(NUM_MODELS):
            out[at + model] = forecast.belief[g, rival, model]
        out[at + NUM_MODELS] = known.others[g, rival] / TURNS
        out[at + NUM_MODELS + 1] = bitset.size(known.cards[g, rival]) / TURNS
        at += NUM_MODELS + 2
    return at


@compiled
def total_score(rules: Rules, games: Games, g: int, player: int) -> float:
    total = 0.0
    for round_ in range(rules.num_rounds):
        total += round_score(games, g, round_, player)
    return total


@compiled
def mean_strength(rules: Rules, cards: int) -> float:
    total, number = 0.0, max(bitset.size(cards), 1)
    while cards != 0:
        total += strength(rules, bitset.lowest(cards))
        cards &= cards - 1
    return total / number


@called
def write_hand(
    rules: Rules,
    games: Games,
    known: Known,
    g: int,
    workspace: Workspace,
    parts: Parts,
    out: Floats,
) -> None:
    """Every card of the hand in a slot of its own, and which cards they are."""
    slots = rules.hand_size + rules.num_rounds - 1
    size = len(out) // slots - 1
    out[:] = 0
    out[slots * size :] = NO_CARD
    hand, slot = games.hands[g, 0], 0
    best = best_card(hand, workspace)
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        about = out[slot * size : (slot + 1) * size]
        about[0] = card / len(rules.card_colours)
        about[1] = bitset.contains(known.cards[g, 0], card)
        about[2] = card == best
        about[3] = (workspace.values[card] - workspace.values[best]) / POINTS
        about[4 + rules.card_colours[card]] = 1
        at = write_chances(rules, card, workspace, parts, about, 4 + NUM_COLOURS)
        write_as_prize(rules, card, workspace, parts, about, at)
        out[slots * size + slot] = card
        slot += 1


@called
def write_chances(
    rules: Rules, card: int, workspace: Workspace, parts: Parts, out: Floats, at: int
) -> int:
    """What playing the card is expected to bring; where the next part begins."""
    for part in range(NUM_PARTS):
        for place in range(rules.num_players):
            workspace.prizes[place] = parts[place, part]
        out[at + part] = expected_prize(card, workspace.prizes, workspace) / POINTS
    at += NUM_PARTS
    for place in range(rules.num_players):
        out[at + place] = workspace.places[card, place]
    at += rules.num_players
    for rival in range(1, rules.num_players):
        out[at] = workspace.lower[rival, card]
        at += 1
    return at


@called
def write_as_prize(
    rules: Rules, card: int, workspace: Workspace, parts: Parts, out: Floats, at: int
) -> None:
    """What the card itself is worth: to oneself, if it is left over, and as a prize to others."""
    take_apart(rules, card, workspace, parts[rules.num_players])
    for part in range(NUM_PARTS):
        out[at + part] = parts[rules.num_players, part] / POINTS
    at += NUM_PARTS
    for rival in range(1, rules.num_players):
        out[at] = points_of(rules, rival, card, workspace) / POINTS
        at += 1
