"""The features that the networks read: expected values of each card, and a summary of the table.

Opponents are taken to play uniformly random cards. The functions write the features of any seat of
any game in memory, so that compiled code can evaluate the games that it plays on.
"""

from typing import Any

import numpy as np

from mindup_agents.champion.position_parts import (
    FeatureShape,
    Float32Array,
    mean_strength,
    seat_shape,
    write_hand,
    write_players,
    write_prizes,
    write_round,
)
from mindup_agents.heuristics.card_values import (
    Workspace,
    make_workspace,
    update_column_values,
    update_uniform_probabilities,
)
from mindup_agents.heuristics.formulas import (
    NEXT_HAND_WEIGHT,
    TEMPERATURE,
    TEMPERATURE_PER_TURN,
    planner_choice,
)
from mindup_agents.heuristics.observed_games import (
    KnownGames,
    ObservedArrays,
    ObservedGames,
    known_games,
    unseen_cards,
)
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled, kernel
from mindup_env.engine.results import total_score
from mindup_env.engine.state import Int8Array


def position_shape(config: GameConfig) -> FeatureShape:
    shape = seat_shape(config)
    return shape._replace(table=config.num_players + shape.table)


def read_positions(config: GameConfig, observation: Int8Array) -> Float32Array:
    """The features (B, size) of observations (B, D), each of its viewer."""
    observed = ObservedGames(config, len(observation))
    observed.read(observation)
    rows = np.zeros((len(observation), position_shape(config).size), np.float32)
    fill_positions(observed.arrays, tuple(make_workspace(config)), rows)
    return rows


@kernel
def fill_positions(arrays: ObservedArrays, workspace_: tuple[Any, ...], out: Float32Array) -> None:
    """Fills ``out`` (B, size) for the first player of every game."""
    known, workspace = known_games(*arrays), Workspace(*workspace_)
    for g in range(len(out)):
        update_column_values(known.rules, known.games, g, workspace)
        write_position(known, g, 0, workspace, out[g])


@called
def write_position(
    known: KnownGames, g: int, seat: int, workspace: Workspace, out: Float32Array
) -> None:
    """Writes the features (size,) of ``seat``; the column values are up to date.

    Most features are given how likely the cards take each prize, and planner's values of the cards.
    """
    write_win_probabilities(known, g, seat, out)
    update_uniform_probabilities(known, g, seat, workspace)
    planner_choice(known, g, seat, workspace)
    at = known.rules.num_players
    at += write_round(known, g, seat, out[at:])
    at += write_prizes(known, g, seat, workspace, out[at:])
    at += write_players(known, g, seat, out[at:])
    write_hand(known, g, seat, workspace, out[at:])


@compiled
def write_win_probabilities(known: KnownGames, g: int, seat: int, out: Float32Array) -> None:
    """Writes the softmax of the players' estimated scores: the seat first.

    A score counts the points so far, and the strength of the hand as the seat knows it.
    """
    rules, games = known.rules, known.games
    unseen = unseen_cards(known, g, seat)
    hidden = mean_strength(rules, unseen)
    remaining_turns = rules.num_turns - games.clock[g]
    temperature = TEMPERATURE + TEMPERATURE_PER_TURN * remaining_turns
    own, total = 0.0, 0.0
    for after in range(rules.num_players):
        player = (seat + after) % rules.num_players
        cards, num_hidden = known.cards[g, player], known.num_hidden[g, player]
        if player == seat:
            cards, num_hidden = games.hands[g, seat], 0
        strengths = bitset.size(cards) * mean_strength(rules, cards) + num_hidden * hidden
        score = total_score(rules, games, g, player) + NEXT_HAND_WEIGHT * strengths
        if after == 0:
            own = score
        out[after] = np.exp((score - own) / temperature)
        total += out[after]
    for after in range(rules.num_players):
        out[after] /= total
