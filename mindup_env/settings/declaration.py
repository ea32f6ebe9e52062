"""Settings: a class declares each of them once, and all that reads or writes them follows from it.

``@settings`` makes a frozen dataclass that pydantic validates. Types are strict, so that a text is
never taken for a number; but an int is accepted for a float, a list for a tuple, and one number
or text for a tuple of them. A refusal is a ValueError of one line: the setting, what it must be,
and what it was.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, Field, field, fields, is_dataclass
from functools import partial, wraps
from inspect import get_annotations
from typing import (
    Annotated,
    Any,
    ClassVar,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import pydantic

from mindup_env.checks import shown, suggestion
from mindup_env.settings.field_types import Option, is_settings

SettingsType = TypeVar("SettingsType")


_KEY = "option"


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
    return field(
        default=default,
        default_factory=default_factory,
        compare=compare,
        metadata={_KEY: Option(help, **details)},
    )


def options_of(cls: Any) -> dict[str, Option]:
    """The options of a class, by the names of the fields."""
    return {each.name: each.metadata[_KEY] for each in fields(cls) if _KEY in each.metadata}


@dataclass_transform(frozen_default=True, field_specifiers=(option, field))
def settings(cls: Any = None, /, *, kw_only: bool = False) -> Any:
    """Makes a class of settings.

    A subclass that gives an option of its base nothing but a new default keeps its help and range:
    ``learning_rate: float = 3e-3``.
    """
    return partial(_declare, kw_only=kw_only) if cls is None else _declare(cls, kw_only=kw_only)


def _declare(cls: Any, *, kw_only: bool) -> Any:
    bases = [base for base in reversed(cls.__mro__[1:]) if is_dataclass(base)]
    inherited = {name: about for base in bases for name, about in options_of(base).items()}
    types = get_type_hints(cls, include_extras=True)
    annotations = get_annotations(cls)
    for name in annotations:
        value = cls.__dict__.get(name, MISSING)
        if name in inherited and value is not MISSING:
            given: Any = value if isinstance(value, Field) else field(default=value)
            value = field(
                default=given.default,
                default_factory=given.default_factory,
                metadata={_KEY: inherited[name], **given.metadata},
            )
            setattr(cls, name, value)
        about = value.metadata.get(_KEY, Option()) if isinstance(value, Field) else Option()
        if get_origin(types[name]) is not ClassVar:
            annotations[name] = Annotated[types[name], about]
    cls.__annotations__ = annotations
    config = pydantic.ConfigDict(extra="forbid")
    made: Any = pydantic.dataclasses.dataclass(cls, frozen=True, kw_only=kw_only, config=config)
    made.__init__ = _with_short_errors(made.__init__)
    return made


def from_plain(cls: type[SettingsType], plain: Any) -> SettingsType:
    """Settings from plain data, as JSON has it; those that are missing have defaults.

    Raises:
        ValueError: if a name or a value is wrong.
    """
    validator: pydantic.TypeAdapter[SettingsType] = pydantic.TypeAdapter(cls)
    with _short_errors(cls):
        return validator.validate_python(plain)


def to_plain(settings: Any) -> dict[str, Any]:
    """Settings as plain data for JSON, which ``from_plain`` reads."""
    plain: dict[str, Any] = pydantic.TypeAdapter(type(settings)).dump_python(settings, mode="json")
    return plain


@contextmanager
def _short_errors(cls: Any) -> Iterator[None]:
    """Makes an error of pydantic one line."""
    try:
        yield
    except pydantic.ValidationError as error:
        raise ValueError(_described(cls, error.errors()[0])) from None


def _with_short_errors(init: Callable[..., None]) -> Callable[..., None]:
    @wraps(init)
    def checked(self: Any, *arguments: Any, **named: Any) -> None:
        with _short_errors(type(self)):
            init(self, *arguments, **named)

    return checked


def _described(cls: Any, error: Any) -> str:
    """One problem that pydantic found: what is wrong, where, and what is accepted."""
    place, kind, value = error["loc"], error["type"], error["input"]
    if place and isinstance(place[0], int):  # an argument without its name
        place = (fields(cls)[place[0]].name, *place[1:])
    while place and isinstance(place[-1], int) and kind != "value_error":
        place = place[:-1]  # an item of a list is shown itself
    path = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in place)[1:]
    owner = _owner(cls, place if kind == "dataclass_type" else place[:-1])
    names = [each.name for each in fields(owner)]
    if kind == "unexpected_keyword_argument":
        return f"unknown setting {path!r}{suggestion(place[-1], names)}"
    if kind == "missing":
        return f"{path} must be given"
    if kind == "dataclass_type":
        return f"{path or 'settings'} must be a dict of {', '.join(names)}, not {shown(value)}"
    if kind == "value_error":
        text = str(error["ctx"]["error"])
        if not path:
            return text
        return f"{path} {text}" if text.startswith("must ") else f"{path}: {text}"
    if kind == "literal_error":
        rule = error["ctx"]["expected"].replace("'", "")
    elif kind.startswith(("greater_", "less_")):
        rule = options_of(owner)[place[-1]].range_text
    else:
        rule = _RULES.get(kind, error["msg"])
    return f"{path} must be {rule}, not {shown(value)}"


def _owner(cls: Any, place: tuple[int | str, ...]) -> Any:
    """The class of the section at this place."""
    for part in place:
        if isinstance(part, str):
            kind = get_type_hints(cls)[part]
            cls = next(filter(is_settings, (kind, *get_args(kind))), cls)
    return cls


_RULES = {
    "int_type": "a whole number",
    "float_type": "a finite number",
    "finite_number": "a finite number",
    "string_type": "a text",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "mapping_type": "a dict",
    "dict_type": "a dict",
}
"""What a setting must be, by pydantic's names of errors."""
