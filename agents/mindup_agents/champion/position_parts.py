"""The features of a seat: of the table as it sees it, and of each card of its hand."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.card_values import (
    Workspace,
    best_card,
    placement_points,
)
from mindup_agents.heuristics.formulas import strength
from mindup_agents.heuristics.observed_games import KnownGames
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.conditions import objectives_met
from mindup_env.engine.results import round_score, total_score
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Rules
from mindup_env.objectives import NUM_OBJECTIVES

Float32Array = npt.NDArray[np.float32]

NO_CARD = -1.0
"""The card of a slot that is empty."""


class FeatureShape(NamedTuple):
    """A row of features: those of the table, those of each slot of the hand, then the cards.

    Slots hold the cards of the hand in ascending order. The slots after them are empty: their
    features are 0 and their card is ``NO_CARD``.

    Attributes:
        table: number of features of the table.
        card: number of features of each slot.
        slots: number of slots, that of cards in the largest hand.
    """

    table: int
    card: int
    slots: int

    @property
    def hand_begins(self) -> int:
        """Where the card of each slot begins."""
        return self.table + self.slots * self.card

    @property
    def size(self) -> int:
        """The size of a row."""
        return self.hand_begins + self.slots

    def split(self, rows: Any) -> tuple[Any, Any, Any]:
        """The parts of rows (..., size), an array or a tensor: table, slots and cards.

        Returns:
            The features of the table (..., table), those of the slots (..., slots, card), and the
            card in each slot (..., slots): the action that plays it, or ``NO_CARD``.
        """
        slots = rows[..., self.table : self.hand_begins]
        slots = slots.reshape(*rows.shape[:-1], self.slots, self.card)
        return rows[..., : self.table], slots, rows[..., self.hand_begins :]


NUM_COMPONENTS = 5
Components = tuple[float, float, float, float, float]
"""The value of a card as a prize: the points for the tableau, and of objectives, the gain of a new
column, the strength as a card of the hand, and the mean points for the opponents. A network learns
their weights."""

POINT_SCALE = 5.0
"""Points are divided by it, to be of about 1."""


# Scores, and numbers of turns and of cards, are divided by these, to be of about 1.
SCORE_SCALE, TURN_SCALE, CARD_SCALE = 20.0, 8.0, 4.0


def seat_shape(config: GameConfig) -> FeatureShape:
    """The shape of the features that the functions below write."""
    players, opponents = config.num_players, config.num_players - 1
    of_round = config.num_rounds + 2 + NUM_COLUMNS + 3 * NUM_OBJECTIVES
    of_prize = 2 + NUM_COMPONENTS + opponents
    of_player = 3 + 2 * NUM_COLUMNS
    table = of_round + players * (of_prize + of_player) + 2 * opponents
    played, kept = NUM_COMPONENTS + players + opponents, NUM_COMPONENTS + opponents
    return FeatureShape(table, 4 + NUM_COLOURS + played + kept, config.largest_hand)


@compiled
def components_of(rules: Rules, seat: int, card: int, workspace: Workspace) -> Components:
    """The components of ``card`` as a prize for ``seat``."""
    colour, opponents = rules.card_colours[card], 0.0
    for after in range(1, rules.num_players):
        opponent = (seat + after) % rules.num_players
        opponents += placement_points(rules, opponent, card, workspace)
    return (
        placement_points(rules, seat, card, workspace),
        workspace.objective_gains[seat, colour],
        workspace.opening_gains[seat, colour],
        strength(rules, card),
        opponents / (rules.num_players - 1),
    )


@compiled
def write_components(components: Components, out: Float32Array) -> None:
    own, objectives, opening, strength_, opponents = components
    out[0], out[1], out[2] = own / POINT_SCALE, objectives / POINT_SCALE, opening / POINT_SCALE
    out[3], out[4] = strength_ / POINT_SCALE, opponents / POINT_SCALE


@compiled
def write_round(known: KnownGames, g: int, seat: int, out: Float32Array) -> int:
    """Writes rounds and turns, score cards and objectives; returns the number of features."""
    rules, games = known.rules, known.games
    round_ = rules.round_at[games.clock[g]]
    for each in range(rules.num_rounds):
        out[each] = each == round_
    at = rules.num_rounds
    out[at] = bitset.size(games.hands[g, seat]) / TURN_SCALE
    out[at + 1] = bitset.size(games.hands[g, seat]) <= 2
    at += 2
    for column in range(NUM_COLUMNS):
        out[at + column] = games.score_cards[g, round_, column] / NUM_COLUMNS
    at += NUM_COLUMNS
    out[at : at + 3 * NUM_OBJECTIVES] = 0
    if games.objectives.shape[2] > 0:
        own = objectives_met(rules, games, g, seat)
        for place in range(games.objectives.shape[2]):
            objective = games.objectives[g, round_, place]
            out[at + objective] = 1
            out[at + NUM_OBJECTIVES + objective] = bitset.contains(own, objective)
            for after in range(1, rules.num_players):
                opponent = (seat + after) % rules.num_players
                met = bitset.contains(objectives_met(rules, games, g, opponent), objective)
                out[at + 2 * NUM_OBJECTIVES + objective] += met / (rules.num_players - 1)
    return at + 3 * NUM_OBJECTIVES


@compiled
def write_prizes(
    known: KnownGames, g: int, seat: int, workspace: Workspace, out: Float32Array
) -> int:
    """Writes the components of each prize, and its points for each opponent."""
    rules, games, at = known.rules, known.games, 0
    for place in range(rules.num_players):
        prize = games.row[g, place]
        out[at] = prize / len(rules.card_colours)
        out[at + 1] = games.columns[g, seat, rules.card_colours[prize]] == NOTHING
        write_components(components_of(rules, seat, prize, workspace), out[at + 2 :])
        at += 2 + NUM_COMPONENTS
        for after in range(1, rules.num_players):
            opponent = (seat + after) % rules.num_players
            out[at] = placement_points(rules, opponent, prize, workspace) / POINT_SCALE
            at += 1
    return at


@compiled
def write_players(known: KnownGames, g: int, seat: int, out: Float32Array) -> int:
    """Writes the scores and columns of all players, and what the seat knows of its opponents."""
    rules, games = known.rules, known.games
    at = 0
    round_ = rules.round_at[games.clock[g]]
    own = total_score(rules, games, g, seat)
    for after in range(rules.num_players):
        player = (seat + after) % rules.num_players
        out[at] = (total_score(rules, games, g, player) - own) / SCORE_SCALE
        out[at + 1] = round_score(games, g, round_, player) / SCORE_SCALE
        cards = games.hands[g, seat] if player == seat else known.cards[g, player]
        out[at + 2] = mean_strength(rules, cards | games.tableaux[g, player])
        at += 3
        out[at : at + 2 * NUM_COLUMNS] = 0
        for colour in range(NUM_COLOURS):
            placed = games.tableaux[g, player] & rules.colour_cards[colour]
            column = int(games.columns[g, player, colour])
            if column != NOTHING:
                out[at + column] = bitset.size(placed) / CARD_SCALE
            out[at + NUM_COLUMNS + colour] = (column + 1) / NUM_COLUMNS
        at += 2 * NUM_COLUMNS
    for after in range(1, rules.num_players):
        opponent = (seat + after) % rules.num_players
        out[at] = known.num_hidden[g, opponent] / TURN_SCALE
        out[at + 1] = bitset.size(known.cards[g, opponent]) / TURN_SCALE
        at += 2
    return at


@compiled
def mean_strength(rules: Rules, cards: int) -> float:
    """The mean over a set of cards; 0 for no cards."""
    total, number = 0.0, max(bitset.size(cards), 1)
    while cards != 0:
        total += strength(rules, bitset.lowest(cards))
        cards &= cards - 1
    return total / number


@compiled
def write_hand(
    known: KnownGames, g: int, seat: int, workspace: Workspace, out: Float32Array
) -> None:
    """Writes the features of each slot, and the card of each slot."""
    rules = known.rules
    slots = rules.hand_size + rules.num_rounds - 1
    size = len(out) // slots - 1
    out[:] = 0
    out[slots * size :] = NO_CARD
    hand, slot = known.games.hands[g, seat], 0
    best = best_card(hand, workspace)
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        features = out[slot * size : (slot + 1) * size]
        features[0] = card / len(rules.card_colours)
        features[1] = bitset.contains(known.cards[g, seat], card)
        features[2] = card == best
        behind = workspace.card_values[card] - workspace.card_values[best]
        features[3] = behind / POINT_SCALE
        features[4 + rules.card_colours[card]] = 1
        at = 4 + NUM_COLOURS
        at += write_played(known, g, seat, card, workspace, features[at:])
        write_kept(rules, seat, card, workspace, features[at:])
        out[slots * size + slot] = card
        slot += 1


@compiled
def write_played(
    known: KnownGames, g: int, seat: int, card: int, workspace: Workspace, out: Float32Array
) -> int:
    """Writes the expected components of the prize that the card takes, and the probabilities.

    Returns the number of features.
    """
    rules = known.rules
    own = objectives = opening = strengths = opponents = 0.0
    for place in range(rules.num_players):
        probability = workspace.prize_probabilities[card, place]
        prize = components_of(rules, seat, known.games.row[g, place], workspace)
        own += probability * prize[0]
        objectives += probability * prize[1]
        opening += probability * prize[2]
        strengths += probability * prize[3]
        opponents += probability * prize[4]
        out[NUM_COMPONENTS + place] = probability
    write_components((own, objectives, opening, strengths, opponents), out)
    # One more for each opponent is always 0: predictions filled it in features that are gone.
    return NUM_COMPONENTS + rules.num_players + rules.num_players - 1


@compiled
def write_kept(rules: Rules, seat: int, card: int, workspace: Workspace, out: Float32Array) -> None:
    """Writes the value of the card itself: as the last card of the hand, or as a later prize."""
    write_components(components_of(rules, seat, card, workspace), out)
    for after in range(1, rules.num_players):
        opponent = (seat + after) % rules.num_players
        at = NUM_COMPONENTS + after - 1
        out[at] = placement_points(rules, opponent, card, workspace) / POINT_SCALE
