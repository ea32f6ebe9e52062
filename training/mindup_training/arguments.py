"""Training settings from the command line, and back as the command of a run."""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from mindup_arena.table_options import TableOptions
from mindup_env.settings.options import add_options, flag, given_options, options_of, to_words
from mindup_training.settings import (
    SNAPSHOT_RULE,
    PPOSettings,
    RllibSettings,
    SelfPlaySettings,
    TrainSettings,
)

Given = dict[str, Any]  # settings by their names; a section is a dict of its own

SECTIONS: dict[str, type] = {
    "ppo": PPOSettings,
    "self_play": SelfPlaySettings,
    "rllib": RllibSettings,
}
_SWITCHES = {
    "self_play": f"let snapshots of the policy play some of the opponents' seats. {SNAPSHOT_RULE}",
    "rllib": "train with RLlib's PPO instead of Stable-Baselines3; the seats that learn share "
    "one policy (needs mindup-env[rllib])",
}
"""The sections that are off by default, and the help of the option that turns each on."""

_GAME = "game"
_OF_GAME = {"num_rounds": "rounds", "hand_size": "hand_size", "deck": "deck"}
"""The rules that a preset can change, and their options, which are those of the arena."""

_TITLES = {"ppo": "PPO", "self_play": "self-play", "rllib": "RLlib, on one or several machines"}

_SYNONYMS = {
    "--lr": "--learning-rate",
    "--n-envs": "--num-envs",
    "--n-epochs": "--epochs",
    "--update-epochs": "--epochs",
    "--minibatch-size": "--batch-size",
    "--total-timesteps": "--timesteps",
}
"""Names that other libraries use."""


def add_run_options(parser: argparse.ArgumentParser, *, preset_default: str | None) -> None:
    """Adds what is the same for all commands that train."""
    parser.add_argument(
        "--preset",
        default=preset_default,
        help="settings to start from: a name, such as quick or 4_players, the path of a TOML "
        "file, or of the run.json of a run (default quick)",
    )
    parser.add_argument("--out", type=Path, help="folder of the run (default: a new one in runs/)")
    parser.add_argument(
        "--resume", type=Path, metavar="RUN", help="resume the run in this folder, bit for bit"
    )


def add_settings(parser: argparse.ArgumentParser, names: Iterable[str] | None = None) -> None:
    """Adds the options of TrainSettings, or those in ``names``, and of its [ppo] section."""
    group = parser.add_argument_group("settings", "each overrides the preset")
    add_options(group, TrainSettings, names=names, show_defaults=False)
    add_section(parser, "ppo")
    for synonym, name in _SYNONYMS.items():
        parser.add_argument(synonym, nargs="*", help=argparse.SUPPRESS, action=_Synonym, const=name)


def add_section(parser: argparse.ArgumentParser, name: str) -> Any:
    group = parser.add_argument_group(_TITLES[name], f"each overrides [{name}] of the preset")
    if name in _SWITCHES:
        group.add_argument(
            flag(name), action="store_true", default=argparse.SUPPRESS, help=_SWITCHES[name]
        )
    add_options(group, SECTIONS[name])
    return group


def add_game(parser: argparse.ArgumentParser) -> None:
    """Adds the rules of the game that are no settings of their own."""
    group = parser.add_argument_group("game", f"each overrides [{_GAME}] of the preset")
    add_options(group, TableOptions, names=("rounds", "hand_size"), show_defaults=False)
    # The path is kept as it is, because the command in the run folder names it.
    deck = options_of(TableOptions)["deck"]
    group.add_argument("--deck", default=argparse.SUPPRESS, help=deck.help, metavar=deck.metavar)


def given_settings(arguments: argparse.Namespace) -> Given:
    """What the command line sets, in the sections of a preset."""
    given = given_options(arguments, TrainSettings)
    game = given_options(arguments, TableOptions)
    if rules := {name: game[own] for name, own in _OF_GAME.items() if own in game}:
        given[_GAME] = rules
    for name, section in SECTIONS.items():
        entries = given_options(arguments, section)
        switched_on = name not in _SWITCHES or hasattr(arguments, name)
        if entries and not switched_on:
            words = ", ".join(map(flag, entries))
            raise ValueError(f"{words} can only be combined with {flag(name)}: add {flag(name)}")
        if entries or (switched_on and name in _SWITCHES):
            given[name] = entries
    return given


def settings_words(given: Mapping[str, Any]) -> Iterator[str]:
    """The inverse of ``given_settings``: the words of a command that sets the same."""
    for name, value in given.items():
        if name == _GAME:
            yield from to_words({_OF_GAME[rule]: each for rule, each in value.items()})
            continue
        if name not in SECTIONS:
            yield from to_words({name: value})
            continue
        if name in _SWITCHES:
            yield flag(name)
        yield from to_words(value)


class _Synonym(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,  # noqa: ARG002  # the signature that argparse calls
        values: str | Sequence[Any] | None,  # noqa: ARG002
        option_string: str | None = None,
    ) -> None:
        parser.error(f"unknown option {option_string}: use {self.const}")
