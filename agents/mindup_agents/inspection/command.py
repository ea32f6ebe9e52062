"""Show what a policy file holds, what its policy prefers, and which features matter to it.

Example: mindup policy show POLICY --record game.json --turn 3
"""

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mindup_agents.features import FeatureNames, feature_names
from mindup_agents.inspection.occlusion import (
    Means,
    Occlusion,
    occlusions,
    read_position,
    recorded_games,
    self_play_rows,
)
from mindup_agents.policy import Policy, PolicyAgent, PolicyEvaluator, load_policy
from mindup_agents.policy.description import OwnCode
from mindup_agents.policy.file import policy_path
from mindup_env import OFFICIAL_DECK, Game
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS
from mindup_env.game.table import aligned
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.observation import observation_text
from mindup_env.settings.checks import check_int
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.declaration import option, settings
from mindup_env.settings.plain_file import content_errors_name, read_json

_WIDTH = 80
"""Columns of the tables, at most."""
_BAR = 40
"""Characters of the bar of a probability of 1."""
_FIRST = "in the deal (default: the first number that the policy plays with)"


@settings
class ShowSettings:
    """What is shown."""

    turn: int | None = option(
        "turns of the record that are played before the position; 0 is the deal (default 0)",
        default=None,
        low=0,
        high=1000,
    )
    seat: int = option("the seat that chooses a card", default=0, low=0, high=MAX_PLAYERS - 1)
    players: int | None = option(
        f"number of players {_FIRST}", default=None, low=MIN_PLAYERS, high=MAX_PLAYERS
    )
    objectives: int | None = option(
        f"objectives shown {_FIRST}", default=None, low=0, high=MAX_OBJECTIVES
    )
    seed: int = option(
        "random seed of the deal, of the games against itself, and of what features sample",
        default=0,
        low=0,
        high=2**64 - 1,
    )
    games: int = option(
        "games against itself, in whose positions features are averaged", default=8, low=1, high=200
    )
    top: int = option("features to show", default=20, low=1, high=10_000)
    features: str = option("the module:Class of a policy's own features", default="")
    network: str = option("the module:Class of a policy's own network", default="")


def configure(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "file",
        type=Path,
        metavar="FILE",
        help="the policy file, or the folder of a training run",
    )
    add(
        "--record",
        type=Path,
        metavar="FILE",
        help="the record of a game, as JSON (default: the first turn of a deal)",
    )
    add_options(parser, ShowSettings)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    shown = ShowSettings(**given_options(arguments, ShowSettings))
    path = policy_path(arguments.file)
    policy = load_policy(path)
    games = _games(shown, arguments.record, policy)
    config, own_code = games[0].config, OwnCode(shown.features, shown.network)
    check_int("seat", shown.seat, 0, config.num_players - 1)
    agent = PolicyAgent.of(policy, config, temperature=1, own_code=own_code)
    evaluator = agent.evaluator
    print(file_text(path, policy), flush=True)
    observation = read_position(evaluator, games, shown.seat, shown.seed)
    print("", observation_text(observation, config), sep="\n")
    print("", preferences_text(evaluator), sep="\n", flush=True)
    position = evaluator.rows.copy()
    rows = self_play_rows(agent, config, shown.games, shown.seed)
    means = Means.of(rows, evaluator.encoder.shape)
    here, average = (list(occlusions(evaluator, each, means)) for each in (position, rows))
    names = feature_names(evaluator.encoder)
    print("", occlusions_text(here, average, names, shown.top), sep="\n")
    return 0


def _games(shown: ShowSettings, record_file: Path | None, policy: Policy) -> list[Game]:
    """The game before each turn, up to the position."""
    table = {"players": shown.players, "objectives": shown.objectives}
    given = {name: number for name, number in table.items() if number is not None}
    if record_file is not None:
        if given:
            name = next(iter(given))
            raise ValueError(f"--{name} cannot be combined with --record: the record has them")
        record = read_json(record_file)
        with content_errors_name(record_file):
            games = recorded_games(record, shown.turn or 0)
            policy.description.check_plays(games[0].config)
        return games
    if shown.turn is not None:
        raise ValueError("--turn can only be combined with --record: add --record FILE")
    configs = policy.description.configs
    for name, number in given.items():
        numbers = sorted({getattr(each, f"num_{name}") for each in configs})
        if number not in numbers:
            accepted = " or ".join(map(str, numbers))
            raise ValueError(f"--{name} must be {accepted} for this policy, not {number}")
        configs = tuple(each for each in configs if getattr(each, f"num_{name}") == number)
    return [Game(configs[0], shown.seed)]


def file_text(path: Path, policy: Policy) -> str:
    """What a policy file holds."""
    description = policy.description
    config, shape = description.configs[0], description.feature_shape()
    players, objectives = (
        ", ".join(map(str, sorted({getattr(each, name) for each in description.configs})))
        for name in ("num_players", "num_objectives")
    )
    padded = description.pad_to_players
    padding = "" if padded is None else f", padded to {padded} players"
    network = description.network or f"widths {' '.join(map(str, description.widths))}"
    parameters = sum(tensor.size for tensor in policy.tensors.values())
    entries = {
        "file": f"{path}, {path.stat().st_size:,} bytes",
        "games": f"{players} players, {objectives} objectives, {config.num_rounds} rounds, first "
        f"hands of {config.hand_size}, {config.num_cards} cards",
        "features": f"{description.features}{padding}: {shape.table} of the table, {shape.card} of "
        f"each of up to {shape.slots} cards",
        "network": f"{network}; {parameters:,} parameters",
        **{f"about: {name}": text for name, text in description.about.items()},
    }
    return "\n".join(f"{name}: {text}" for name, text in entries.items())


def preferences_text(evaluator: PolicyEvaluator) -> str:
    """The probability of each card of the hand, and the value, in the position read last."""
    (probabilities,), (value,) = evaluator.probabilities(), evaluator.values()
    hand = evaluator.cards[0][evaluator.cards[0] >= 0]
    lines = [["card", "probability", ""]]
    for card in hand[np.argsort(-probabilities[hand], kind="stable")]:
        share = probabilities[card]
        lines.append([str(OFFICIAL_DECK[card]), f"{share:>11.1%}", "#" * round(_BAR * share)])
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
    legend = textwrap.fill(
        "What changes without features (occlusion: all features of one name are set to their mean "
        f"over {len(average[0].moved):,} positions of games against itself). moved: the "
        "probability that goes to other cards; value: the change of the value, on average without "
        "its sign.",
        _WIDTH,
    )
    counts = {each.name: (*names.table, *names.card).count(each.name) for each in average}
    rows = sorted(zip(here, average, strict=True), key=lambda pair: -pair[1].moved.mean())
    lines = [
        f"{single.name:<40}{counts[single.name]:>4}"
        f"{single.moved[0]:>8.1%}{single.value_change[0]:>+8.3f}"
        f"{many.moved.mean():>9.1%}{np.abs(many.value_change).mean():>8.3f}"
        for single, many in rows[:most]
    ]
    return "\n".join(
        [
            f"{legend}\n",
            f"{'features, and how many':<44}{'here':>8}{'':>8}{'average':>11}",
            f"{'':<44}{'moved':>8}{'value':>8}{'moved':>9}{'value':>8}",
            *lines,
            *[f"... and {len(rows) - most} more"] * (len(rows) > most),
        ]
    )
