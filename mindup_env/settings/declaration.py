"""Settings: a class declares each of them once, and all that reads or writes them follows from it.

``@settings`` makes a frozen dataclass that checks its values by their types. A text is never taken
for a number; but an int is accepted for a float, a list for a tuple, and one number for a tuple of
numbers. A refusal is a ValueError of one line: the setting, what it must be, and what it was.
"""

import math
import operator
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import partial, wraps
from inspect import get_annotations
from types import NoneType
from typing import (
    Any,
    Literal,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from mindup_env.settings.checks import as_list, shown, suggestion

SettingsType = TypeVar("SettingsType")

_OPTION, _TYPES = "option", "_types_of_settings"


@dataclass(frozen=True)
class Option:
    """What a field says about itself besides its name, type and default."""

    help: str = ""
    low: float | None = None
    high: float | None = None
    above: float | None = None  # an exclusive lower bound
    metavar: str | None = None
    choices: tuple[str, ...] | None = None
    reader: Callable[[str], Any] | None = None  # of its text on the command line

    def includes(self, number: float) -> bool:
        """Whether a number is in the range."""
        return (
            (self.low is None or number >= self.low)
            and (self.above is None or number > self.above)
            and (self.high is None or number <= self.high)
        )

    @property
    def range_text(self) -> str:
        """The numbers that are accepted, for errors."""
        if self.low is not None and self.high is not None:
            return f"{self.low} to {self.high}"
        bounds = (("at least", self.low), ("above", self.above), ("at most", self.high))
        return " and ".join(f"{words} {bound}" for words, bound in bounds if bound is not None)


def option(
    help: str,  # noqa: A002  # the name that argparse gives it
    *,
    default: Any = MISSING,
    default_factory: Any = MISSING,
    compare: bool = True,
    **details: Any,
) -> Any:
    """A field that is also an option of a command; ``details`` are those of Option.

    The range applies to a number, or to each number of a tuple.
    """
    metadata = {_OPTION: Option(help, **details)}
    if default_factory is not MISSING:
        return field(default_factory=default_factory, compare=compare, metadata=metadata)
    return field(default=default, compare=compare, metadata=metadata)


def options_of(cls: Any) -> dict[str, Option]:
    """The options of a class, by the names of the fields."""
    return {each.name: each.metadata[_OPTION] for each in fields(cls) if _OPTION in each.metadata}


def is_settings(kind: Any) -> bool:
    """Whether ``@settings`` made this class."""
    return isinstance(kind, type) and _TYPES in vars(kind)


@overload
def settings(cls: type[SettingsType], /) -> type[SettingsType]: ...


@overload
def settings(*, kw_only: bool = False) -> Callable[[type[SettingsType]], type[SettingsType]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(option, field))
def settings(cls: Any = None, /, *, kw_only: bool = False) -> Any:
    """Makes a class of settings.

    A subclass that gives an option of its base nothing but a new default keeps its help and range:
    ``learning_rate: float = 3e-3``.
    """
    return partial(_declare, kw_only=kw_only) if cls is None else _declare(cls, kw_only=kw_only)


def _declare(cls: Any, *, kw_only: bool) -> Any:
    bases = filter(is_dataclass, reversed(cls.__mro__[1:]))
    inherited = {name: about for base in bases for name, about in options_of(base).items()}
    for name in get_annotations(cls).keys() & inherited.keys() & vars(cls).keys():
        value = vars(cls)[name]
        given: Any = value if isinstance(value, Field) else field(default=value)
        redefined = field(
            default=given.default,
            default_factory=given.default_factory,
            metadata={_OPTION: inherited[name], **given.metadata},
        )
        setattr(cls, name, redefined)
    made = dataclass(frozen=True, kw_only=kw_only)(cls)
    setattr(made, _TYPES, get_type_hints(made))
    made.__init__ = _with_checks(made.__init__)
    return made


def _with_checks(init: Callable[..., None]) -> Callable[..., None]:
    @wraps(init)
    def checked(self: Any, *arguments: Any, **named: Any) -> None:
        names = [each.name for each in fields(self) if not each.kw_only]
        values = _read_fields(type(self), {**dict(zip(names, arguments, strict=False)), **named})
        init(self, *arguments[len(names) :], **values)

    return checked


def from_plain(cls: type[SettingsType], plain: Any, place: str = "") -> SettingsType:
    """Settings from plain data, as JSON and TOML have it; those that are missing have defaults.

    Args:
        cls: a class of settings.
        plain: the data, or an object of the class.
        place: the setting that holds these settings, for errors.

    Raises:
        ValueError: if a name or a value is wrong.
    """
    if isinstance(plain, cls):
        return plain
    if not isinstance(plain, Mapping):
        names = ", ".join(each.name for each in fields(cls))  # type: ignore[arg-type]
        raise ValueError(f"{place or 'settings'} must be a dict of {names}, not {shown(plain)}")
    values = _read_fields(cls, plain, f"{place}." if place else "")
    try:
        return cls(**values)
    except ValueError as error:
        raise ValueError(f"{place}: {error}" if place else str(error)) from None


def to_plain(settings: Any) -> dict[str, Any]:
    """Settings as plain data for JSON, which ``from_plain`` reads."""
    return {each.name: _written(getattr(settings, each.name)) for each in fields(settings)}


def changed(settings: SettingsType, plain: Any) -> SettingsType:
    """These settings with some of them replaced by plain data; nested sections are merged."""
    if isinstance(plain, Mapping):
        plain = _merged(to_plain(settings), plain)
    return from_plain(type(settings), plain)


def _merged(now: Mapping[str, Any], plain: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**now, **plain}
    for name in now.keys() & plain.keys():
        if isinstance(now[name], Mapping) and isinstance(plain[name], Mapping):
            merged[name] = _merged(now[name], plain[name])
    return merged


def _written(value: Any) -> Any:
    if is_settings(type(value)):
        return to_plain(value)
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {name: _written(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_written(each) for each in value]
    return value


def _read_fields(cls: Any, given: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The given values of fields in their types; ``prefix`` is for the names in errors."""
    options, types, names = (
        options_of(cls),
        getattr(cls, _TYPES),
        [each.name for each in fields(cls)],
    )
    for name in given:
        if name not in names:
            raise ValueError(
                f"unknown setting {prefix + str(name)!r}{suggestion(str(name), names)}"
            )
    for each in fields(cls):
        if each.name not in given and each.default is each.default_factory is MISSING:
            raise ValueError(f"{prefix}{each.name} must be given")
    return {
        name: _read(types[name], value, options.get(name, Option()), f"{prefix}{name}")
        for name, value in given.items()
    }


def _read(kind: Any, value: Any, about: Option, place: str) -> Any:
    """A value in its declared type; ``place`` is its name in errors."""
    if NoneType in get_args(kind):
        if value is None:
            return None
        (kind,) = {*get_args(kind)} - {NoneType}
    if kind in _RULES or get_origin(kind) is Literal:
        return _read_scalar(kind, value, about, place)
    if is_settings(kind):
        return from_plain(kind, value, place)
    if get_origin(kind) in (tuple, list) or _is_named_tuple(kind):
        return _read_items(kind, value, about, place)
    if get_origin(kind) in (dict, Mapping):
        if not isinstance(value, Mapping):
            raise _refusal(place, "a dict", value)
        (_, each) = get_args(kind)
        return {name: _read(each, value[name], about, f"{place}.{name}") for name in value}
    return _read_object(kind, value, place)


def _read_items(kind: Any, value: Any, about: Option, place: str) -> Any:
    if _is_named_tuple(kind):
        kinds, make = [*get_type_hints(kind).values()], kind._make
        if isinstance(value, Mapping) and value.keys() == {*kind._fields}:
            value = [value[name] for name in kind._fields]
    else:
        kinds, make = [*get_args(kind)], get_origin(kind)
    if kinds in ([int, ...], [float, ...]) and isinstance(value, int | float):
        value = (value,)
    values = as_list(place, value)
    if make is list or ... in kinds:
        kinds = kinds[:1] * len(values)
    if len(values) != len(kinds):
        raise _refusal(place, f"{len(kinds)} values", value)
    return make(
        # A wrong number or text of a list is shown without its index.
        _read(item, each, about, place if item in _RULES else f"{place}[{index}]")
        for index, (item, each) in enumerate(zip(kinds, values, strict=True))
    )


def _is_named_tuple(kind: Any) -> bool:
    return hasattr(kind, "_fields") and not hasattr(kind, "from_dict")


_RULES = {
    int: "a whole number",
    float: "a finite number",
    str: "a text",
    bool: "true or false",
}
"""What a number or a text must be."""


def _read_scalar(kind: Any, value: Any, about: Option, place: str) -> Any:
    found, choices = value, about.choices
    if get_origin(kind) is Literal:
        choices = get_args(kind)
        kind = type(choices[0])
    if kind in (int, float) and not isinstance(value, bool):
        with suppress(TypeError):
            found = operator.index(value)  # a whole number of another library too, such as NumPy
        with suppress(OverflowError):
            found = float(found) if kind is float and isinstance(found, int) else found
    is_of_kind = isinstance(found, kind) and isinstance(found, bool) == (kind is bool)
    if not is_of_kind or (kind is float and not math.isfinite(found)):
        raise _refusal(place, _RULES[kind], value)
    if choices and found not in choices:
        raise _refusal(place, " or ".join(map(str, choices)), value)
    if kind in (int, float) and not about.includes(found):
        raise _refusal(place, about.range_text, value)
    return found


def _read_object(kind: Any, value: Any, place: str) -> Any:
    """An object of a class that is no settings, or what its ``from_dict`` reads."""
    if kind is Any or isinstance(value, kind):
        return value
    if not hasattr(kind, "from_dict"):
        raise _refusal(place, f"a {kind.__name__}", value)
    try:
        return kind.from_dict(value)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _refusal(place: str, rule: str, value: Any) -> ValueError:
    return ValueError(f"{place} must be {rule}, not {shown(value)}")
