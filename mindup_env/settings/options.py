"""Settings as command-line options: a dataclass declares what each option takes and means.

A field made by ``option`` becomes ``--its-name`` of a command; its help, default and range come
from the field alone. A command reads only what was given, so that the same settings can also
come from a preset or from an earlier run, and can be written back as a command.
"""

import argparse
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from mindup_env.settings.checks import check_int


@dataclass(frozen=True)
class Option:
    """What a field says about itself besides its name, type and default."""

    help: str
    low: float | None = None
    high: float | None = None
    above: float | None = None  # an exclusive lower bound
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    reader: Callable[[str], Any] | None = None  # of its text; by default that of its type


_KEY = "option"


def option(
    help: str,  # noqa: A002  # the name that argparse gives it
    *,
    default: Any = MISSING,
    default_factory: Any = MISSING,
    **details: Any,
) -> Any:
    """A dataclass field that is also a command-line option; ``details`` are those of Option."""
    metadata = {_KEY: Option(help, **details)}
    if default_factory is not MISSING:
        return field(default_factory=default_factory, metadata=metadata)
    return field(default=default, metadata=metadata)


def options_of(settings: type) -> dict[str, Option]:
    """The options of a dataclass, by the names of the fields."""
    return {name: each.metadata[_KEY] for name, each in _option_fields(settings).items()}


def add_options(
    parser: Any, settings: type, *, names: Iterable[str] | None = None, show_defaults: bool = True
) -> None:
    """Adds an option for each field, or for those in ``names``, to a parser or argument group.

    An option that is not given leaves no attribute on the parsed arguments.
    """
    types, found = get_type_hints(settings), _option_fields(settings)
    for name in found if names is None else names:
        each, about = found[name], found[name].metadata[_KEY]
        default = _default_text(each) if show_defaults else ""
        parser.add_argument(
            flag(name),
            dest=name,
            default=argparse.SUPPRESS,
            help=about.help + (f" (default {default})" if default else ""),
            **_arguments(types[name], about),
        )


def given_options(arguments: argparse.Namespace, settings: type) -> dict[str, Any]:
    """What the command line gave, by the names of the fields."""
    names = _option_fields(settings)
    return {name: value for name, value in vars(arguments).items() if name in names}


def to_words(given: Mapping[str, Any]) -> Iterator[str]:
    """Options as the words of a command: the inverse of ``given_options``."""
    for name, value in given.items():
        if isinstance(value, bool):
            yield flag(name) if value else f"--no-{flag(name).removeprefix('--')}"
            continue
        yield flag(name)
        yield from map(str, value if isinstance(value, list | tuple) else [value])


def check_ranges(settings: Any) -> None:
    """Refuses a number outside its declared range, and what is no number of the declared type."""
    types = get_type_hints(type(settings))
    for name, about in options_of(type(settings)).items():
        value = getattr(settings, name)
        kind = number_type(types[name])
        if kind is None or (value is None and NoneType in get_args(types[name])):
            continue
        for item in value if isinstance(value, tuple) else (value,):
            _check_number(name, item, kind, about)


def number_type(annotation: Any) -> type | None:
    """``int`` or ``float`` for a setting with one number or several; None for any other."""
    kind = _item_type(annotation)
    return kind if kind in (int, float) else None


def flag(name: str) -> str:
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


def _option_fields(settings: type) -> dict[str, Field[Any]]:
    return {each.name: each for each in fields(settings) if _KEY in each.metadata}


def _arguments(annotation: Any, about: Option) -> dict[str, Any]:
    """What argparse is told about an option of this type."""
    kind = _item_type(annotation)
    if kind is bool:
        return {"action": argparse.BooleanOptionalAction}
    told: dict[str, Any] = {
        "type": about.reader or _READERS.get(kind, kind),
        "metavar": about.metavar,
    }
    if about.choices is not None:
        told |= {"choices": about.choices, "metavar": None}
    if _is_named_tuple(annotation):
        told |= {"nargs": len(annotation._fields), "metavar": _upper(annotation._fields)}
    elif get_origin(annotation) is tuple:
        items = get_args(annotation)
        told["nargs"] = "+" if items[-1] is Ellipsis else len(items)
    return told


def _is_named_tuple(annotation: Any) -> bool:
    return isinstance(annotation, type) and hasattr(annotation, "_fields")


def _upper(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.upper() for name in names)


def _item_type(annotation: Any) -> Any:
    """``int`` for int, ``int | None``, ``tuple[int, ...]`` and a NamedTuple of ints."""
    if _is_named_tuple(annotation):
        return next(iter(get_type_hints(annotation).values()))
    if get_origin(annotation) is tuple:
        return get_args(annotation)[0]
    without_none = [each for each in get_args(annotation) if each is not NoneType]
    return without_none[0] if without_none else annotation


def _default_text(each: Field[Any]) -> str:
    default = each.default_factory() if each.default_factory is not MISSING else each.default
    if default is None or default is False or default is MISSING:
        return ""
    if isinstance(default, tuple):
        return " ".join(map(str, default))
    return str(default)


def _check_number(name: str, value: Any, kind: type, about: Option) -> None:
    if kind is int:
        value = check_int(name, value)
    elif not _is_finite_number(value):
        raise ValueError(f"{name} must be a finite number, not {value!r}")
    too_low = about.low is not None and value < about.low
    too_high = about.high is not None and value > about.high
    if too_low or too_high or (about.above is not None and value <= about.above):
        raise ValueError(f"{name} must be {_range_text(about)}, not {value}")


def _is_finite_number(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and -math.inf < value < math.inf  # also for an int that no float can hold


def _range_text(about: Option) -> str:
    if about.low is not None and about.high is not None:
        return f"{about.low} to {about.high}"
    bounds = (("at least", about.low), ("above", about.above), ("at most", about.high))
    return " and ".join(f"{words} {bound}" for words, bound in bounds if bound is not None)


_READERS: dict[Any, Callable[[str], Any]] = {int: integer}
