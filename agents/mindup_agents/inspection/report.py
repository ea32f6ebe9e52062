"""The texts of ``mindup policy show``; its tables are at most 80 columns wide."""

import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from mindup_agents.features import FeatureNames
from mindup_agents.inspection.occlusion import Occlusion
from mindup_agents.policy import Description, Policy, PolicyEvaluator
from mindup_env.cards import OFFICIAL_DECK
from mindup_env.config import GameConfig
from mindup_env.game.table import aligned

_WIDTH = 80
_BAR = 40
"""Characters of the bar of a probability of 1."""


def file_text(path: Path, policy: Policy) -> str:
    """What a policy file holds."""
    description = policy.description
    shape = description.feature_shape()
    parameters = sum(tensor.size for tensor in policy.tensors.values())
    padded = description.pad_to_players
    padding = "" if padded is None else f", padded to {padded} players"
    network = description.network or f"widths {' '.join(map(str, description.widths))}"
    entries = {
        "file": f"{path}, {path.stat().st_size:,} bytes",
        "games": _games(description),
        "features": f"{description.features}{padding}: {shape.table} of the table, {shape.card} of "
        f"each of up to {shape.slots} cards",
        "network": f"{network}; {parameters:,} parameters",
        **{f"about: {name}": text for name, text in description.about.items()},
    }
    return "\n".join(f"{name}: {text}" for name, text in entries.items())


def preferences_text(evaluator: PolicyEvaluator, config: GameConfig) -> str:
    """The probability of each card of the hand, and the value, in the position read last."""
    (probabilities,), (value,) = evaluator.probabilities(), evaluator.values()
    hand = evaluator.cards[0][evaluator.cards[0] >= 0]
    lines = [["card", "probability", ""]]
    for card in hand[np.argsort(-probabilities[hand], kind="stable")]:
        share = probabilities[card]
        lines.append([str(config.deck[card + 1]), f"{share:>11.1%}", "#" * round(_BAR * share)])
    return (
        f"{aligned(lines)}\n\nvalue {value:+.3f}: the return that the policy expects from here to "
        "the end"
    )


def occlusions_text(
    here: Sequence[Occlusion], average: Sequence[Occlusion], names: FeatureNames, most: int
) -> str:
    """A line for each of the features that matter most on average.

    Args:
        here: the occlusions in the position.
        average: those in many positions, in the same order.
        names: the names of the features.
        most: the number of lines.
    """
    counts = {each.name: (*names.table, *names.card).count(each.name) for each in average}
    rows = sorted(zip(here, average, strict=True), key=lambda pair: -pair[1].moved.mean())
    lines = [
        f"{'features, and how many':<44}{'here':>8}{'':>8}{'average':>11}",
        f"{'':<44}{'moved':>8}{'value':>8}{'moved':>9}{'value':>8}",
    ]
    lines += [
        f"{single.name:<40}{counts[single.name]:>4}"
        f"{single.moved[0]:>8.1%}{single.value_change[0]:>+8.3f}"
        f"{many.moved.mean():>9.1%}{np.abs(many.value_change).mean():>8.3f}"
        for single, many in rows[:most]
    ]
    lines += [f"... and {len(rows) - most} more"] * (len(rows) > most)
    return "\n".join([_occlusion_legend(len(average[0].moved)), "", *lines])


def _occlusion_legend(positions: int) -> str:
    return textwrap.fill(
        "What changes without features (occlusion: all features of one name are set to their mean "
        f"over {positions:,} positions of games against itself). moved: the probability that goes "
        "to other cards; value: the change of the value, on average without its sign.",
        _WIDTH,
    )


def _games(description: Description) -> str:
    config = description.configs[0]
    players = _numbers(each.num_players for each in description.configs)
    objectives = _numbers(each.num_objectives for each in description.configs)
    deck = "the official deck" if config.deck == OFFICIAL_DECK else "a deck of its own"
    return (
        f"{players} players, {objectives} objectives, {config.num_rounds} rounds, first hands of "
        f"{config.hand_size}, {deck}"
    )


def _numbers(values: Iterable[int]) -> str:
    """``3`` or ``0, 1, 2``."""
    return ", ".join(map(str, sorted(set(values))))
