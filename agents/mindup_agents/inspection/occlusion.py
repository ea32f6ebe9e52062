"""Occlusion: how much a policy depends on features, by what changes without them.

All features of one name are set to their mean over many positions; those of the other names stay.
This is the occlusion sensitivity of M. D. Zeiler and R. Fergus, Visualizing and Understanding
Convolutional Networks, ECCV 2014, for groups of features instead of parts of a picture. It needs no
gradient. A group whose content other groups repeat matters little alone, although it may matter
with them.
"""

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from mindup_agents.features import FeatureNames, FeatureShape, feature_names
from mindup_agents.features.base import Float32Array
from mindup_agents.policy import PolicyEvaluator
from mindup_agents.policy.evaluator import softmax


class Means(NamedTuple):
    """The means of features over many positions."""

    table: Float32Array  # (table features,)
    card: Float32Array  # (card features,) over the cards of all hands

    @classmethod
    def of(cls, rows: Float32Array, shape: FeatureShape) -> Self:
        table, cards, hand = shape.split(rows)
        return cls(table.mean(axis=0), cards[hand >= 0].mean(axis=0))


class Occlusion(NamedTuple):
    """What changes in each of N positions without the features of one name."""

    name: str
    moved: npt.NDArray[np.float64]  # (N,) probability of cards that moves to other cards
    value_change: Float32Array  # (N,) the value without the features minus the value with them


def occlusions(evaluator: PolicyEvaluator, rows: Float32Array, means: Means) -> Iterator[Occlusion]:
    """The occlusion of each name of the features, in rows (N, size)."""
    encoder, network = evaluator.encoder, evaluator.row_evaluator
    names, shape = feature_names(encoder), encoder.shape
    probabilities, values = softmax(network.logits(rows)), network.values(rows)
    for name in dict.fromkeys((*names.table, *names.card)):
        occluded = _without(rows, name, names, shape, means)
        difference = softmax(network.logits(occluded)) - probabilities
        moved = np.abs(difference).sum(axis=1) / 2  # the total variation distance
        yield Occlusion(name, moved, network.values(occluded) - values)


def _without(
    rows: Float32Array, name: str, names: FeatureNames, shape: FeatureShape, means: Means
) -> Float32Array:
    of_table, of_card = (np.array([each == name for each in part]) for part in names)
    occluded = rows.copy()
    table, cards, hand = shape.split(occluded)  # views
    table[:] = np.where(of_table, means.table, table)
    cards[:] = np.where((hand >= 0)[..., None] & of_card, means.card, cards)
    return occluded
