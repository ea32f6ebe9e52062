"""The features that the networks read: expected values of each card, and a summary of the table.

Opponents are taken to play uniformly random cards. A function that writes a part of a row returns
the number of its features.
"""

import numpy as np

from mindup_agents.champion.feature_shape import NO_CARD, FeatureShape, Float32Array
from mindup_agents.champion.prize_features import (
    NUM_PARTS,
    POINT_SCALE,
    Points,
    write_expected_prize,
    write_value_to_all,
)
from mindup_agents.heuristics.card_values import (
    ColumnValues,
    HandValues,
    Workspace,
    best_card,
    make_workspace,
    value_columns,
)
from mindup_agents.heuristics.formulas import (
    NEXT_HAND_WEIGHT,
    PLANNER,
    TEMPERATURE,
    TEMPERATURE_PER_TURN,
    formula_values,
    strength,
)
from mindup_agents.heuristics.observed_games import (
    KnownGames,
    make_known_games,
    read_games,
    unseen_cards,
)
from mindup_env.cards import NUM_COLOURS, NUM_OBJECTIVES
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled, kernel, typed_once
from mindup_env.engine.conditions import shown_objectives, shown_objectives_met
from mindup_env.engine.results import round_score, total_score
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Int8Array, Rules

# Features are divided by these, to be of about 1.
SCORE_SCALE = 20.0
TURN_SCALE = 8.0
CARD_SCALE = 4.0


def position_shape(config: GameConfig) -> FeatureShape:
    """The shape of the features that ``read_positions`` returns."""
    players = config.num_players
    opponents = players - 1
    of_round = config.num_rounds + 2 + NUM_COLUMNS + 3 * NUM_OBJECTIVES
    of_player = 1 + (2 + NUM_PARTS + opponents) + (3 + 2 * NUM_COLUMNS)  # chance, prize, columns
    table = players * of_player + of_round + 2 * opponents
    card = 4 + NUM_COLOURS + (NUM_PARTS + players) + (NUM_PARTS + opponents)
    return FeatureShape(table, card, config.largest_hand)


def read_positions(config: GameConfig, observation: Int8Array) -> Float32Array:
    """The features (B, size) of observations (B, D), each of its viewer."""
    known = make_known_games(config, len(observation))
    read_games(config, np.ascontiguousarray(observation), known)
    rows = np.zeros((len(observation), position_shape(config).size), np.float32)
    fill_positions(known, make_workspace(config), rows)
    return rows


@typed_once
@kernel
def fill_positions(known: KnownGames, workspace: Workspace, out: Float32Array) -> None:
    """Fills ``out`` (B, size) for the first player of every game."""
    for g in range(len(out)):
        columns = value_columns(known.rules, known.games, g, workspace.columns)
        write_position(known, g, 0, columns, workspace, out[g])


@called
def write_position(
    known: KnownGames,
    g: int,
    seat: int,
    columns: ColumnValues,
    workspace: Workspace,
    out: Float32Array,
) -> None:
    """Writes the features (size,) of ``seat``."""
    rules = known.rules
    values = formula_values(known, g, seat, PLANNER, columns, workspace)
    points = Points(columns, workspace.seats.objective_gains)
    at = write_win_probabilities(known, g, seat, out)
    at += write_round(known, g, seat, out[at:])
    for place in range(rules.num_players):
        prize = known.games.row[g, place]
        out[at] = prize / len(rules.card_colours)
        out[at + 1] = known.games.columns[g, seat, rules.card_colours[prize]] == NOTHING
        at += 2
        at += write_value_to_all(rules, seat, prize, points, out[at:])
    at += write_players(known, g, seat, out[at:])
    write_hand(known, g, seat, points, values, out[at:])


@compiled
def write_win_probabilities(known: KnownGames, g: int, seat: int, out: Float32Array) -> int:
    """Writes the softmax of the players' estimated scores: the seat first.

    A score counts the points so far, and the strength of the hand as the seat knows it.
    """
    rules = known.rules
    games = known.games
    hidden = mean_strength(rules, unseen_cards(known, g, seat))
    remaining_turns = rules.num_turns - games.clock[g]
    temperature = TEMPERATURE + TEMPERATURE_PER_TURN * remaining_turns
    own = total = 0.0
    for after in range(rules.num_players):
        player = (seat + after) % rules.num_players
        cards = known.cards[g, player]
        num_hidden = known.num_hidden[g, player]
        if player == seat:
            cards = games.hands[g, seat]
            num_hidden = 0
        strengths = bitset.size(cards) * mean_strength(rules, cards) + num_hidden * hidden
        score = total_score(rules, games, g, player) + NEXT_HAND_WEIGHT * strengths
        if player == seat:
            own = score
        out[after] = np.exp((score - own) / temperature)
        total += out[after]
    for after in range(rules.num_players):
        out[after] /= total
    return rules.num_players


@compiled
def write_round(known: KnownGames, g: int, seat: int, out: Float32Array) -> int:
    """Writes rounds and turns, score cards and objectives."""
    rules = known.rules
    games = known.games
    round_ = rules.round_at[games.clock[g]]
    hand_size = bitset.size(games.hands[g, seat])
    for each in range(rules.num_rounds):
        out[each] = each == round_
    at = rules.num_rounds
    out[at] = hand_size / TURN_SCALE
    out[at + 1] = hand_size <= 2
    at += 2
    for column in range(NUM_COLUMNS):
        out[at + column] = games.score_cards[g, round_, column] / NUM_COLUMNS
    at += NUM_COLUMNS
    out[at : at + 3 * NUM_OBJECTIVES] = 0
    for objective in bitset.members(shown_objectives(rules, games, g)):
        out[at + objective] = 1
    own = out[at + NUM_OBJECTIVES :]  # whether the seat meets them
    others = out[at + 2 * NUM_OBJECTIVES :]  # how many opponents do
    for player in range(rules.num_players):
        for objective in bitset.members(shown_objectives_met(rules, games, g, player)):
            if player == seat:
                own[objective] = 1
            else:
                others[objective] += 1 / (rules.num_players - 1)
    return at + 3 * NUM_OBJECTIVES


@compiled
def write_players(known: KnownGames, g: int, seat: int, out: Float32Array) -> int:
    """Writes the scores and columns of all players, and what the seat knows of its opponents."""
    rules = known.rules
    games = known.games
    round_ = rules.round_at[games.clock[g]]
    own = total_score(rules, games, g, seat)
    at = 0
    for after in range(rules.num_players):
        player = (seat + after) % rules.num_players
        cards = games.hands[g, seat] if player == seat else known.cards[g, player]
        out[at] = (total_score(rules, games, g, player) - own) / SCORE_SCALE
        out[at + 1] = round_score(games, g, round_, player) / SCORE_SCALE
        out[at + 2] = mean_strength(rules, cards | games.tableaux[g, player])
        at += 3
        out[at : at + NUM_COLUMNS] = 0
        for colour in range(NUM_COLOURS):
            placed = games.tableaux[g, player] & rules.colour_cards[colour]
            column = int(games.columns[g, player, colour])
            if column != NOTHING:
                out[at + column] = bitset.size(placed) / CARD_SCALE
            out[at + NUM_COLUMNS + colour] = (column + 1) / NUM_COLUMNS
        at += NUM_COLUMNS + NUM_COLOURS
    for after in range(1, rules.num_players):
        opponent = (seat + after) % rules.num_players
        out[at] = known.num_hidden[g, opponent] / TURN_SCALE
        out[at + 1] = bitset.size(known.cards[g, opponent]) / TURN_SCALE
        at += 2
    return at


@compiled
def mean_strength(rules: Rules, cards: int) -> float:
    """The mean over a set of cards; 0 for no cards."""
    total = 0.0
    for card in bitset.members(cards):
        total += strength(rules, card)
    return total / max(bitset.size(cards), 1)


@compiled
def write_hand(
    known: KnownGames, g: int, seat: int, points: Points, values: HandValues, out: Float32Array
) -> None:
    """Writes the features of each slot, and the card of each slot."""
    rules = known.rules
    hand = known.games.hands[g, seat]
    slots = rules.hand_size + rules.num_rounds - 1
    size = len(out) // slots - 1
    out[:] = 0
    out[slots * size :] = NO_CARD
    best = best_card(hand, values.totals)
    for slot, card in enumerate(bitset.members(hand)):
        features = out[slot * size : (slot + 1) * size]
        behind = values.totals[card] - values.totals[best]
        features[0] = card / len(rules.card_colours)
        features[1] = bitset.contains(known.cards[g, seat], card)
        features[2] = card == best
        features[3] = behind / POINT_SCALE
        features[4 + rules.card_colours[card]] = 1
        at = 4 + NUM_COLOURS
        probabilities = values.prize_probabilities[card]
        at += write_expected_prize(known, g, seat, probabilities, points, features[at:])
        # The card itself: the last one of a hand is placed, and others are later prizes.
        write_value_to_all(rules, seat, card, points, features[at:])
        out[slots * size + slot] = card
