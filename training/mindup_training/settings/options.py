"""Settings of a run as options of a command: those of their class, its sections and its game."""

import argparse
import inspect
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, get_args, get_type_hints

from mindup_env.config import OPTION_FIELDS
from mindup_env.runs.options import TableOptions, add_folder_options
from mindup_env.settings.command_line import add_options, flag, given_options
from mindup_env.settings.declaration import options_of
from mindup_env.settings.field_types import is_settings
from mindup_env.settings.rare_help import RareHelp
from mindup_env.variants import VARIANTS

Given = dict[str, Any]  # settings by their names; a section is a dict of its own

_LEARNER, _GAME = "learner", "game"
_SYNONYMS = {
    "--lr": "--learning-rate",
    "--n-envs": "--num-envs",
    "--n-epochs": "--epochs",
    "--update-epochs": "--epochs",
    "--minibatch-size": "--batch-size",
    "--total-timesteps": "--timesteps",
}
"""Names that other libraries use."""


def add_run_options(
    parser: argparse.ArgumentParser, *, preset_default: str | None, beside_resume: Sequence[str]
) -> None:
    """Adds what is the same for all commands that train."""
    named = f" (default {preset_default})" if preset_default else ""
    parser.add_argument(
        "--preset",
        default=preset_default,
        help="settings to start from: a name, such as quick or 4_players, the path of a TOML "
        f"file, or of the run.json of a run{named}",
    )
    out = "folder of the run (default: a new one in runs/)"
    add_folder_options(parser, out, beside_resume=beside_resume)


def add_settings(
    parser: argparse.ArgumentParser,
    settings: type,
    names: Iterable[str] | None = None,
    sections: Sequence[str] | None = None,
    *,
    show_defaults: bool = False,
) -> None:
    """Adds the options of a class of settings, of its sections, and of its game.

    ``names`` and ``sections`` are all of them unless they are given.
    """
    group = parser.add_argument_group("settings", "each overrides the preset")
    own = [name for name in options_of(settings) if name != _LEARNER] if names is None else names
    add_options(group, settings, names=own, show_defaults=show_defaults)
    for name, section in sections_of(settings).items():
        if sections is None or name in sections:
            group = parser.add_argument_group(f"[{name}]", inspect.getdoc(section))
            if hasattr(section, "switch"):
                group.add_argument(
                    flag(name), action="store_true", default=argparse.SUPPRESS, help=section.switch
                )
            add_options(group, section, show_defaults=show_defaults)
    fields = get_type_hints(settings)
    if _GAME in fields:
        group = parser.add_argument_group(f"[{_GAME}]", "the rules of the game")
        small = RareHelp("a small game with exact values, instead of the other options of the game")
        group.add_argument("--game", choices=VARIANTS, default=argparse.SUPPRESS, help=small)
        table = [name for name in (*OPTION_FIELDS, "score_order") if name not in fields]
        add_options(group, TableOptions, names=table, show_defaults=show_defaults)
    for synonym, name in _SYNONYMS.items():
        parser.add_argument(synonym, help=argparse.SUPPRESS, type=partial(_refused, name))


def given_settings(arguments: argparse.Namespace, settings: type) -> Given:
    """What the command line sets, in the sections of a preset."""
    given = given_options(arguments, settings)
    given.pop(_LEARNER, None)
    rules = [name for name in (*OPTION_FIELDS, "score_order") if hasattr(arguments, name)]
    game = {
        OPTION_FIELDS.get(name, name): getattr(arguments, name)
        for name in rules
        if name not in get_type_hints(settings)
    }
    if hasattr(arguments, _GAME):
        if rules:
            raise ValueError(f"--game cannot be combined with {', '.join(map(flag, rules))}")
        given[_GAME] = arguments.game
    elif game:
        given[_GAME] = game
    for name, section in sections_of(settings).items():
        entries = given_options(arguments, section)
        is_on = hasattr(arguments, name) or not hasattr(section, "switch")
        if entries and not is_on:
            words = ", ".join(map(flag, entries))
            raise ValueError(f"{words} can only be combined with {flag(name)}: add {flag(name)}")
        if entries or hasattr(arguments, name):
            given[name] = entries
    return given


def command_text(words: Sequence[str], given: Given, settings: type) -> str:
    """The command that sets this, for people."""
    switches = {name for name, each in sections_of(settings).items() if hasattr(each, "switch")}
    return shlex.join([*words, *_words(given, switches)])


def sections_of(settings: type) -> dict[str, type]:
    """The fields that are settings of their own, with their classes."""
    found = {}
    for name, kind in get_type_hints(settings).items():
        for each in (kind, *get_args(kind)):
            if is_settings(each):
                found[name] = each
    return found


def without_sections(plain: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Plain settings and those of their sections, with names such as ``ppo.epochs``."""
    for name, value in plain.items():
        if isinstance(value, Mapping):
            yield from without_sections(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _words(given: Given, switches: Collection[str] = ()) -> Iterator[str]:
    options: dict[str, str] = {field: option for option, field in OPTION_FIELDS.items()}
    for name, value in given.items():
        if isinstance(value, Mapping):
            if name in switches:
                yield flag(name)
            yield from _words({options.get(key) or key: each for key, each in value.items()})
        elif isinstance(value, bool):
            yield flag(name) if value else flag(f"no_{name}")
        else:
            yield flag(name)
            yield from map(str, value if isinstance(value, list | tuple) else [value])


def _refused(name: str, _: str) -> None:
    raise argparse.ArgumentTypeError(f"use {name}")
