"""The features of a seat: of the table as it sees it, and of each card of its hand."""

from mindup_agents.champion.feature_shape import NO_CARD, FeatureShape, Float32Array
from mindup_agents.champion.position_workspace import (
    NUM_COMPONENTS,
    POINT_SCALE,
    FeatureWorkspace,
    write_components,
)
from mindup_agents.heuristics.card_values import placement_points
from mindup_agents.heuristics.formulas import strength
from mindup_agents.heuristics.observed_games import KnownGames
from mindup_agents.heuristics.prize_probabilities import expected_prize_value
from mindup_agents.heuristics.workspace import best_card
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.conditions import objectives_met
from mindup_env.engine.results import round_score, total_score
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Rules
from mindup_env.objectives import NUM_OBJECTIVES

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
    known: KnownGames, g: int, seat: int, workspace: FeatureWorkspace, out: Float32Array
) -> int:
    """Writes the components of each prize, and its points for each opponent."""
    rules, games, at = known.rules, known.games, 0
    for place in range(rules.num_players):
        prize = games.row[g, place]
        out[at] = prize / len(rules.card_colours)
        out[at + 1] = games.columns[g, seat, rules.card_colours[prize]] == NOTHING
        for component in range(NUM_COMPONENTS):
            out[at + 2 + component] = workspace.components[place, component] / POINT_SCALE
        at += 2 + NUM_COMPONENTS
        for after in range(1, rules.num_players):
            opponent = (seat + after) % rules.num_players
            out[at] = placement_points(rules, opponent, prize, workspace.formulas) / POINT_SCALE
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
    known: KnownGames, g: int, seat: int, workspace: FeatureWorkspace, out: Float32Array
) -> None:
    """Writes the features of each slot, and the card of each slot."""
    rules = known.rules
    formulas = workspace.formulas
    slots = rules.hand_size + rules.num_rounds - 1
    size = len(out) // slots - 1
    out[:] = 0
    out[slots * size :] = NO_CARD
    hand, slot = known.games.hands[g, seat], 0
    best = best_card(hand, formulas)
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        features = out[slot * size : (slot + 1) * size]
        features[0] = card / len(rules.card_colours)
        features[1] = bitset.contains(known.cards[g, seat], card)
        features[2] = card == best
        behind = formulas.card_values[card] - formulas.card_values[best]
        features[3] = behind / POINT_SCALE
        features[4 + rules.card_colours[card]] = 1
        at = 4 + NUM_COLOURS
        at += write_played(rules, card, workspace, features[at:])
        write_kept(rules, seat, card, workspace, features[at:])
        out[slots * size + slot] = card
        slot += 1


@compiled
def write_played(rules: Rules, card: int, workspace: FeatureWorkspace, out: Float32Array) -> int:
    """Writes the expected components of the prize that the card takes, and the probabilities.

    Returns the number of features.
    """
    formulas = workspace.formulas
    for component in range(NUM_COMPONENTS):
        for place in range(rules.num_players):
            formulas.prize_values[place] = workspace.components[place, component]
        expected = expected_prize_value(card, formulas.prize_values, formulas)
        out[component] = expected / POINT_SCALE
    at = NUM_COMPONENTS
    for place in range(rules.num_players):
        out[at + place] = formulas.prize_probabilities[card, place]
    # One more for each opponent is always 0: predictions filled it in features that are gone.
    return at + rules.num_players + rules.num_players - 1


@compiled
def write_kept(
    rules: Rules, seat: int, card: int, workspace: FeatureWorkspace, out: Float32Array
) -> None:
    """Writes the value of the card itself: as the last card of the hand, or as a later prize."""
    components = workspace.components[rules.num_players]
    write_components(rules, seat, card, workspace.formulas, components)
    for component in range(NUM_COMPONENTS):
        out[component] = components[component] / POINT_SCALE
    at = NUM_COMPONENTS
    for after in range(1, rules.num_players):
        opponent = (seat + after) % rules.num_players
        out[at] = placement_points(rules, opponent, card, workspace.formulas) / POINT_SCALE
        at += 1
