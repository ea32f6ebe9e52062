"""Scratch arrays for the features of one seat, allocated once."""

from typing import Any, NamedTuple

import numpy as np

from mindup_agents.features.prize_components import NUM_COMPONENTS
from mindup_agents.heuristics.workspace import Float64Array, Workspace, make_workspace
from mindup_env.config import GameConfig
from mindup_env.engine.compiler import compiled


class FeatureWorkspace(NamedTuple):
    """The scratch arrays of the formulas and of the features, and what seats believe."""

    formulas: Workspace
    components: Float64Array  # (num_players + 1, num_components) of the prizes, then of one card
    model_probabilities: Float64Array  # (B, num_players, models) of the models of the opponents


FeatureArrays = tuple[tuple[Any, ...], Float64Array, Float64Array]
"""The fields of FeatureWorkspace, as kernels take them."""


def make_feature_arrays(config: GameConfig, model_probabilities: Float64Array) -> FeatureArrays:
    components = np.zeros((config.num_players + 1, NUM_COMPONENTS))
    return tuple(make_workspace(config)), components, model_probabilities


@compiled
def feature_workspace(arrays: FeatureArrays) -> FeatureWorkspace:
    return FeatureWorkspace(Workspace(*arrays[0]), arrays[1], arrays[2])
