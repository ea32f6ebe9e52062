"""Settings of a run as options of a command: those of their class, and of its game."""

import argparse
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mindup_env.config import OPTION_FIELDS
from mindup_env.runs.options import TableOptions, add_folder_options
from mindup_env.settings.command_line import add_options, flag, given_options
from mindup_env.settings.declaration import options_of
from mindup_env.settings.rare_help import RareHelp
from mindup_env.variants import VARIANTS

Given = dict[str, Any]  # settings by their names; those of the game are a dict of its own

_LEARNER, _GAME = "learner", "game"


def add_run_options(
    parser: argparse.ArgumentParser,
    *,
    preset_default: str | None,
    beside_resume: Sequence[str] = (),
) -> None:
    """Adds what is the same for all commands that train."""
    named = f" (default {preset_default})" if preset_default else ""
    parser.add_argument(
        "--preset",
        default=preset_default,
        help="settings to start from: quick, self_play, the path of a TOML file, or of the "
        f"run.json of a run{named}",
    )
    out = "folder of the run (default: a new one in runs/)"
    add_folder_options(parser, out, beside_resume=beside_resume)


def add_settings(
    parser: argparse.ArgumentParser,
    settings: type,
    names: Iterable[str] | None = None,
    *,
    show_defaults: bool = False,
) -> None:
    """Adds the options of a class of settings, or those in ``names``, and of its game."""
    group = parser.add_argument_group("settings", "each overrides the preset")
    own = [name for name in options_of(settings) if name != _LEARNER] if names is None else names
    add_options(group, settings, names=own, show_defaults=show_defaults)
    group = parser.add_argument_group("game", "the rules of the game")
    small = RareHelp("a small game with exact values, instead of the other options of the game")
    group.add_argument("--game", choices=VARIANTS, default=argparse.SUPPRESS, help=small)
    add_options(group, TableOptions, show_defaults=show_defaults)


def given_settings(arguments: argparse.Namespace, settings: type) -> Given:
    """What the command line sets, as a preset has it."""
    given = given_options(arguments, settings)
    given.pop(_LEARNER, None)
    game = given_options(arguments, TableOptions)
    if hasattr(arguments, _GAME):
        if game:
            raise ValueError(f"--game cannot be combined with {', '.join(map(flag, game))}")
        given[_GAME] = arguments.game
    elif game:
        given[_GAME] = {OPTION_FIELDS.get(name, name): value for name, value in game.items()}
    return given


def command_text(words: Sequence[str], given: Given) -> str:
    """The command that sets this, for people."""
    return shlex.join([*words, *_words(given)])


def _words(given: Given) -> Iterator[str]:
    options: dict[str, str] = {field: option for option, field in OPTION_FIELDS.items()}
    for name, value in given.items():
        if isinstance(value, Mapping):
            yield from _words({options.get(key) or key: each for key, each in value.items()})
        elif isinstance(value, bool):
            yield flag(name) if value else flag(f"no_{name}")
        else:
            yield flag(name)
            yield from map(str, value if isinstance(value, list | tuple) else [value])
