"""What the features of a seat are computed in, and the components of a card's value as a prize.

A network learns the weights of the components.
"""

from typing import Any, NamedTuple

import numpy as np

from mindup_agents.heuristics.card_values import placement_points
from mindup_agents.heuristics.formulas import strength
from mindup_agents.heuristics.workspace import Float64Array, Workspace, make_workspace
from mindup_env.config import GameConfig
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Rules

NUM_COMPONENTS = 5
OWN_POINTS, OWN_OBJECTIVES, OPENING, STRENGTH, OPPONENT_POINTS = range(NUM_COMPONENTS)
"""The points for the tableau, and of objectives, the gain of a new column, the strength as a card
of the hand, and the mean points for the opponents."""

POINT_SCALE = 5.0
"""Points are divided by it, to be of about 1."""


class FeatureWorkspace(NamedTuple):
    """The scratch arrays of the formulas and of the features."""

    formulas: Workspace
    components: Float64Array  # (num_players + 1, num_components) of the prizes, then of one card


FeatureArrays = tuple[tuple[Any, ...], Float64Array]
"""The fields of FeatureWorkspace, as kernels take them."""


def make_feature_arrays(config: GameConfig) -> FeatureArrays:
    return tuple(make_workspace(config)), np.zeros((config.num_players + 1, NUM_COMPONENTS))


@compiled
def feature_workspace(arrays: FeatureArrays) -> FeatureWorkspace:
    return FeatureWorkspace(Workspace(*arrays[0]), arrays[1])


@compiled
def write_components(
    rules: Rules, seat: int, card: int, workspace: Workspace, components: Float64Array
) -> None:
    """Fills ``components`` (NUM_COMPONENTS,) with the value of ``card`` as a prize for ``seat``."""
    colour = rules.card_colours[card]
    components[OWN_POINTS] = placement_points(rules, seat, card, workspace)
    components[OWN_OBJECTIVES] = workspace.objective_gains[seat, colour]
    components[OPENING] = workspace.opening_gains[seat, colour]
    components[STRENGTH] = strength(rules, card)
    components[OPPONENT_POINTS] = mean_opponent_points(rules, seat, card, workspace)


@compiled
def mean_opponent_points(rules: Rules, seat: int, card: int, workspace: Workspace) -> float:
    total = 0.0
    for after in range(1, rules.num_players):
        opponent = (seat + after) % rules.num_players
        total += placement_points(rules, opponent, card, workspace)
    return total / (rules.num_players - 1)
