"""Settings as options of a command: the one bridge from ``@settings`` to argparse.

An option of the settings becomes ``--its-name``. A command reads only what was given, so that the
rest can come from a preset or an earlier run.
"""

import argparse
from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, fields
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from mindup_env.settings.declaration import options_of
from mindup_env.settings.field_types import Option


def add_options(
    parser: Any, settings: type, *, names: Iterable[str] | None = None, show_defaults: bool = True
) -> None:
    """Adds the options of a class, or those in ``names``, to a parser or argument group.

    An option that is not given leaves no attribute on the parsed arguments.
    """
    types, options = get_type_hints(settings), options_of(settings)
    declared = {each.name: each for each in fields(settings)}
    for name in options if names is None else names:
        about = options[name]
        default = _default_text(declared[name]) if show_defaults else ""
        text = about.help + (f" (default {default})" if default else "")
        parser.add_argument(
            flag(name),
            dest=name,
            default=argparse.SUPPRESS,
            help=text,
            **_arguments(types[name], about),
        )


def given_options(arguments: argparse.Namespace, settings: type) -> dict[str, Any]:
    """What the command line gave, by the names of the fields."""
    names = options_of(settings)
    return {name: value for name, value in vars(arguments).items() if name in names}


def flag(name: str) -> str:
    """The option of a field."""
    return f"--{name.replace('_', '-')}"


def integer(text: str) -> int:
    """Reads ``1000000``, ``1_000_000`` and ``1e6``."""
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not number.is_integer():
            raise
        return int(number)


def _arguments(annotation: Any, about: Option) -> dict[str, Any]:
    """What argparse is told about an option of this type: ``int``, ``int | None``, a tuple."""
    if NoneType in get_args(annotation):
        annotation = get_args(annotation)[0]
    names = getattr(annotation, "_fields", ())
    kinds = get_type_hints(annotation).values() if names else get_args(annotation)
    items = [*kinds] or [annotation]
    if items[0] is bool:
        return {"action": argparse.BooleanOptionalAction}
    told: dict[str, Any] = {
        "type": _READERS.get(items[0], items[0]),
        "metavar": about.metavar or _METAVARS.get(items[0]),
        "choices": about.choices,
    }
    if names:
        told |= {"nargs": len(names), "metavar": tuple(name.upper() for name in names)}
    elif get_origin(annotation) is tuple:
        told["nargs"] = "+" if items[-1] is Ellipsis else len(items)
    return told


def _default_text(each: Field[Any]) -> str:
    default = each.default if each.default_factory is MISSING else each.default_factory()
    if default is None or default is False or default is MISSING:
        return ""
    return " ".join(map(str, default)) if isinstance(default, tuple) else str(default)


_METAVARS = {int: "N", float: "X", Path: "FILE"}
_READERS: dict[Any, Callable[[str], Any]] = {int: integer}
