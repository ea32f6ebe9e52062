"""Options as a spec gives them: text that the annotations of parameters convert."""

import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any, NewType

from mindup_env.settings.checks import suggestion

RestOfSpec = NewType("RestOfSpec", str)
"""The type of a bot's parameter that takes all text after the colon as it is, such as a command."""

OtherOption = float | str
"""The type of ``**options`` of a bot that takes options which it does not name."""


def read_options(
    kind: str,
    name: str,
    make: Callable[..., Any],
    text: str,
    *,
    positional: int,
    supplied: Mapping[str, Any],
) -> dict[str, Any]:
    """The keyword arguments of ``make``: the options in ``text``, and those supplied.

    Args:
        kind: what errors call it, such as ``agent``.
        name: its name in a spec.
        make: a class or function.
        text: the options, as ``option=value,...``.
        positional: the number of its first parameters that are no options.
        supplied: arguments that no text can set; ``make`` gets those that it has parameters for.
    """
    parameters = list(inspect.signature(make).parameters.values())[positional:]
    known = {option.name: option for option in parameters if option.kind not in _UNNAMED}
    given = {key: value for key, value in supplied.items() if known.pop(key, None) is not None}
    whole = [key for key in known if _annotation(known[key]) == RestOfSpec.__name__]
    if whole and text.strip():
        return {whole[0]: text, **given}
    reserved = frozenset(supplied) if any(map(_takes_others, parameters)) else None
    return {**_read_pairs(f"{kind} {name!r}", name, known, text.strip(), reserved), **given}


def takes_rest_of_spec(make: Callable[..., Any]) -> bool:
    """Whether all text after the colon is one option, such as a command."""
    parameters = inspect.signature(make).parameters.values()
    return any(_annotation(option) == RestOfSpec.__name__ for option in parameters)


def _read_pairs(
    owner: str,
    name: str,
    known: Mapping[str, inspect.Parameter],
    text: str,
    reserved: Collection[str] | None,
) -> dict[str, Any]:
    """The options in ``text``, converted to the types of their annotations.

    If ``reserved`` is not None, the owner also gets options that are not known, as numbers or
    texts, but for these.
    """
    needed = [key for key, option in known.items() if option.default is option.empty]
    options = {}
    for index, pair in enumerate(filter(None, text.split(","))):
        key, equals, value = map(str.strip, pair.partition("="))
        if not equals and index == 0 and needed:
            key, value = needed[0], key
        elif not known and reserved is None:
            again = f"; to use it {key} times, list it {key} times" if key.isdecimal() else ""
            raise ValueError(f"{owner} has no options, but was given {pair!r}{again}")
        elif not equals:
            available = suggestion(key, known)
            raise ValueError(f"an option of {owner} is name=value, not {pair!r}{available}")
        if key in known:
            options[key] = _read_value(f"option {key!r} of {owner}", value, known[key])
        elif reserved is not None and key.isidentifier() and key not in reserved:
            options[key] = _guess(value)
        else:
            raise ValueError(f"{owner} has no option {key!r}{suggestion(key, known)}")
    missing = [key for key in needed if key not in options]
    if missing:
        raise ValueError(f"{owner} needs {', '.join(missing)}, as in {name}:{missing[0].upper()}")
    return options


def _annotation(option: inspect.Parameter) -> Any:
    """The name of the type; with postponed evaluation, the annotation is a string."""
    return getattr(option.annotation, "__name__", option.annotation)


def _takes_others(option: inspect.Parameter) -> bool:
    unnamed = option.kind is option.VAR_KEYWORD
    return unnamed and option.annotation in (OtherOption, "OtherOption")


def _read_value(name: str, text: str, option: inspect.Parameter) -> Any:
    read, rule = _TYPES.get(_annotation(option), (_guess, ""))
    try:
        return read(text)
    except (KeyError, ValueError):
        raise ValueError(f"{name} must be {rule}, not {text!r}") from None


def _guess(text: str) -> int | float | str:
    for type_ in (int, float):
        try:
            return type_(text)
        except ValueError:
            pass
    return text


_UNNAMED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_TYPES: dict[str, tuple[Callable[[str], Any], str]] = {
    "int": (int, "a whole number"),
    "float": (float, "a number"),
    "bool": ({"true": True, "false": False}.__getitem__, "true or false"),
    "str": (str, "a text"),
}
