"""What "forecast-1" tells of the table: rounds, objectives, prizes and seats."""

from mindup_agents.features.prize_components import (
    CARDS,
    NUM_PARTS,
    POINTS,
    SCORES,
    TURNS,
    Floats,
    Parts,
)
from mindup_agents.heuristics.card_values import points_of
from mindup_agents.heuristics.observed_games import Known
from mindup_agents.heuristics.opponent_model import (
    NUM_MODELS,
    Forecast,
)
from mindup_agents.heuristics.planner_values import strength
from mindup_agents.heuristics.workspace import Workspace
from mindup_env.cards import NUM_COLOURS
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.conditions import objectives_met
from mindup_env.engine.results import round_score
from mindup_env.engine.state import NOTHING, NUM_COLUMNS, Games, Rules
from mindup_env.objectives import NUM_OBJECTIVES


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
