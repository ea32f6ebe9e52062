"""The options of a bot, as its spec gives them: text that its annotations convert."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, NewType

from mindup_env.checks import suggestion

RestOfSpec = NewType("RestOfSpec", str)
"""The type of a bot's parameter that takes all text after the colon as it is, such as a command."""

OtherOption = float | str
"""The type of ``**options`` of a bot that takes options which it does not name."""

_RUN_FOLDER = "run_folder"


def read_options(
    name: str, make: Callable[..., Any], text: str, run_folder: Path | None
) -> dict[str, Any]:
    """The arguments of ``make`` beside the config."""
    parameters = list(inspect.signature(make).parameters.values())[1:]  # the first is the config
    known = {option.name: option for option in parameters if option.kind not in _UNNAMED}
    others = any(map(_takes_others, parameters))
    given = {} if known.pop(_RUN_FOLDER, None) is None else {_RUN_FOLDER: run_folder}
    if given and run_folder is not None:
        run_folder.mkdir(parents=True, exist_ok=True)
    whole = [key for key in known if _annotation(known[key]) == RestOfSpec.__name__]
    if whole and text.strip():
        return {whole[0]: text, **given}
    return {**_read_pairs(name, known, text.strip(), others=others), **given}


def takes_rest_of_spec(make: Callable[..., Any]) -> bool:
    """Whether all text after the colon is one option, such as a command."""
    parameters = inspect.signature(make).parameters.values()
    return any(_annotation(option) == RestOfSpec.__name__ for option in parameters)


def _read_pairs(
    name: str, known: dict[str, inspect.Parameter], text: str, *, others: bool
) -> dict[str, Any]:
    """The options in ``text``, converted to the types of their annotations.

    With ``others``, the bot also gets options that are not known, as numbers or texts.
    """
    needed = [key for key, option in known.items() if option.default is option.empty]
    options = {}
    for index, pair in enumerate(filter(None, text.split(","))):
        key, equals, value = map(str.strip, pair.partition("="))
        if not equals and index == 0 and needed:
            key, value = needed[0], key
        elif not known and not others:
            again = f"; to use it {key} times, list it {key} times" if key.isdecimal() else ""
            raise ValueError(f"agent {name!r} has no options, but was given {pair!r}{again}")
        elif not equals:
            available = suggestion(key, known)
            raise ValueError(f"an option of agent {name!r} is name=value, not {pair!r}{available}")
        if key not in known and others and key.isidentifier() and key != _RUN_FOLDER:
            options[key] = _guess(value)
            continue
        if key not in known:
            raise ValueError(f"agent {name!r} has no option {key!r}{suggestion(key, known)}")
        options[key] = _read_value(f"option {key!r} of agent {name!r}", value, known[key])
    missing = [key for key in needed if key not in options]
    if missing:
        raise ValueError(
            f"agent {name!r} needs {', '.join(missing)}, as in {name}:{missing[0].upper()}"
        )
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
