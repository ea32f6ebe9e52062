"""Bots that a text names, such as ``greedy``, ``mybots:Bonus`` or ``mybots:Bonus:depth=3``.

A name is a registered one or ``module:Class``. After another colon follow the options, which
pydantic converts as the annotated parameters say.
"""

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import PurePath
from typing import Any, NewType

from mindup_env.checks import suggestion

AGENTS = "mindup_env.agents"
"""The entry-point group of bots: each is a class or a function of a config."""

RestOfSpec = NewType("RestOfSpec", str)
"""The type of a bot's parameter that takes all text after the colon: other bots, for example."""

_UNNAMED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_RULES = {
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "bool_parsing": "true or false",
}
"""What an option must be, by pydantic's names of errors."""


@cache
def _registered() -> tuple[EntryPoint, ...]:
    """The registered bots; to read the entry points of all installed packages takes 20 ms."""
    return tuple(entry_points(group=AGENTS))


def list_agents() -> list[str]:
    """The names of all registered bots."""
    return sorted(entry.name for entry in _registered())


@dataclass(frozen=True)
class NamedAgent:
    """A class or function of a config that makes a bot, with the text of its options."""

    name: str  # ``module:Class``, or a registered name
    make: Callable[..., Any]
    options: str  # as ``option=value,...``
    module: str  # that the name refers to

    def read_options(self) -> dict[str, Any]:
        """The arguments to make it with, beside the config."""
        owner = f"agent {self.name!r}"
        parameters = [*inspect.signature(self.make).parameters.values()]
        if not parameters:
            raise ValueError(
                f"{owner} must be made with the config of the game: its __init__ takes it as the "
                "first argument"
            )
        named = [each for each in parameters[1:] if each.kind not in _UNNAMED]
        types = {each.name: self._type(each) for each in named}
        whole = [key for key, kind in types.items() if kind is RestOfSpec]
        if whole and self.options.strip():
            return {whole[0]: self.options}
        needed = [each.name for each in named if each.default is each.empty]
        options = {}
        for index, pair in enumerate(filter(None, self.options.strip().split(","))):
            key, equals, value = map(str.strip, pair.partition("="))
            if not equals and index == 0 and needed:
                key, value = needed[0], key
            elif not types:
                again = f"; to use it {key} times, list it {key} times" if key.isdecimal() else ""
                raise ValueError(f"{owner} has no options, but was given {pair!r}{again}")
            elif not equals:
                available = suggestion(key, types)
                raise ValueError(f"an option of {owner} is name=value, not {pair!r}{available}")
            if key not in types:
                raise ValueError(f"{owner} has no option {key!r}{suggestion(key, types)}")
            options[key] = _from_text(f"option {key!r} of {owner}", value, types[key])
        missing = [key for key in needed if key not in options]
        if missing:
            example = f"{self.name}:{missing[0].upper()}"
            raise ValueError(f"{owner} needs {', '.join(missing)}, as in {example}")
        return options

    def _type(self, parameter: inspect.Parameter) -> Any:
        """The annotation of a parameter, which is a text where its evaluation is postponed."""
        annotation = parameter.annotation
        if isinstance(annotation, str):
            make: Any = self.make
            scope = getattr(make.__init__ if inspect.isclass(make) else make, "__globals__", {})
            try:
                return eval(annotation, scope)  # noqa: S307  # as the interpreter would
            except (AttributeError, NameError):  # it is imported for type checkers alone
                return Any
        return Any if annotation is parameter.empty else annotation


def _from_text(name: str, text: str, kind: Any) -> Any:
    """The value of a text by its type, or without a type a number if it is one.

    The error of another text names ``name``.
    """
    # Here, because `import mindup_env` would take longer.
    from pydantic import PydanticUserError, TypeAdapter, ValidationError  # noqa: PLC0415

    accepted: Any = int | float | str if kind is Any else kind
    try:
        return TypeAdapter(accepted).validate_strings(text)
    except PydanticUserError:
        raise ValueError(f"{name} cannot be given as text: its type is {kind}") from None
    except ValidationError as error:
        first = error.errors()[0]
        rule = _RULES.get(first["type"], first["msg"].removeprefix("Input should be "))
        raise ValueError(f"{name} must be {rule}, not {text!r}") from None


def import_agent(text: str) -> NamedAgent:
    """Imports the bot that a text names; its module can be a file in the current folder.

    Raises:
        ValueError: if the text names nothing that can be imported.
    """
    module, _, rest = text.partition(":")
    for entry in _registered():
        if entry.name == module:
            return NamedAgent(module, entry.load(), rest, entry.module)
    attribute, _, options = rest.partition(":")
    path = PurePath(module)
    if path.suffix == ".py" or (len(path.parts) > 1 and not path.suffix):
        example = f"{path.stem}:{attribute or 'Bonus'}"
        raise ValueError(f"agents are named module:Class, such as {example}, not {text!r}")
    if not all(part.isidentifier() for part in (*module.split("."), attribute)):
        known = suggestion(module, list_agents())
        raise ValueError(f"unknown agent {module!r}{known}; or module:Class, such as mybots:Bonus")
    return NamedAgent(f"{module}:{attribute}", _load(module, attribute), options, module)


def _load(module: str, name: str) -> Callable[..., Any]:
    if "" not in sys.path:
        sys.path.append("")  # the current folder, which a command does not search by default
    try:
        found = import_module(module)
    except ImportError as error:
        known = suggestion(module, list_agents()) if error.name == module else ""
        raise ValueError(f"agent {module}:{name} cannot be imported: {error}{known}") from None
    make: Callable[..., Any] | None = getattr(found, name, None)
    if not callable(make):
        own = [
            key
            for key, value in vars(found).items()
            if (inspect.isclass(value) or inspect.isfunction(value)) and value.__module__ == module
        ]
        raise ValueError(
            f"module {module!r} has no class or function {name!r}{suggestion(name, own)}"
        )
    return make
