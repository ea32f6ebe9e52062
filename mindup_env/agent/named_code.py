"""Code that a text names, such as ``greedy``, ``mybots:Bonus`` or ``mybots:Bonus:depth=3``.

There is one grammar for bots, networks, rewards, callbacks and all others: a registered name or
``module:Class``, and after another colon the options, which pydantic converts as the annotated
parameters say.
"""

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import PurePath
from typing import Any, NamedTuple, NewType

from mindup_env.settings.checks import suggestion

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
def _entry_points(group: str | None) -> tuple[EntryPoint, ...]:
    """The registered names of a group; to read those of all installed packages takes 20 ms."""
    return tuple(entry_points(group=group)) if group else ()


class CodeKind(NamedTuple):
    """What a text names, for errors."""

    name: str  # in the singular, such as ``agent``
    example: str  # a text that names one of a user
    group: str | None = None  # of the entry points that register names, if any

    @property
    def registered(self) -> list[str]:
        """The registered names."""
        return sorted(entry.name for entry in _entry_points(self.group))


@dataclass(frozen=True)
class NamedCode:
    """A class or function that a text names, with the text of its options."""

    kind: CodeKind
    spec: str  # the text that names it
    name: str  # ``module:Class``, or a registered name
    make: Callable[..., Any]
    options: str  # as ``option=value,...``
    module: str  # that the name refers to

    def build(self, *arguments: Any, **supplied: Any) -> Any:
        """Calls it with these arguments and its options."""
        return self.make(*arguments, **self.read_options(len(arguments), **supplied))

    def read_options(self, positional: int, **supplied: Any) -> dict[str, Any]:
        """The keyword arguments to call it with.

        Args:
            positional: the number of its first parameters that are no options.
            supplied: arguments that no text can set; it gets those that it has parameters for.
        """
        owner = f"{self.kind.name} {self.name!r}"
        parameters = list(inspect.signature(self.make).parameters.values())[positional:]
        named = [each for each in parameters if each.kind not in _UNNAMED]
        given = {each.name: supplied[each.name] for each in named if each.name in supplied}
        types = {each.name: self._type(each) for each in named if each.name not in given}
        whole = [key for key, kind in types.items() if kind is RestOfSpec]
        if whole and self.options.strip():
            return {whole[0]: self.options, **given}
        needed = [each.name for each in named if each.name in types and each.default is each.empty]
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
            if key in types:
                options[key] = from_text(f"option {key!r} of {owner}", value, types[key])
            else:
                raise ValueError(f"{owner} has no option {key!r}{suggestion(key, types)}")
        missing = [key for key in needed if key not in options]
        if missing:
            example = f"{self.name}:{missing[0].upper()}"
            raise ValueError(f"{owner} needs {', '.join(missing)}, as in {example}")
        return {**options, **given}

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


def from_text(name: str, text: str, kind: Any) -> Any:
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


def names_code(text: str) -> bool:
    """Whether a text is to name code of a user: no other name or formula has a colon."""
    return ":" in text


def code_name(text: str) -> str:
    """``module:Class``, without the options."""
    return ":".join(text.split(":")[:2])


def find_code(kind: CodeKind, text: str) -> NamedCode:
    """Imports what a text names; the module can be a file in the current folder.

    Raises:
        ValueError: if the text names nothing that can be imported.
    """
    module, _, rest = text.partition(":")
    for entry in _entry_points(kind.group):
        if entry.name == module:
            return NamedCode(kind, text, module, entry.load(), rest, entry.module)
    check_code_name(kind, text)
    attribute, _, options = rest.partition(":")
    make = _load(kind, module, attribute)
    return NamedCode(kind, text, f"{module}:{attribute}", make, options, module)


def check_code_name(kind: CodeKind, text: str) -> None:
    """Refuses a text that is not ``module:Class``, without importing anything."""
    module, _, rest = text.partition(":")
    attribute = rest.partition(":")[0]
    path = PurePath(module)
    if path.suffix == ".py" or (len(path.parts) > 1 and not path.suffix):
        example = kind.example.partition(":")[2]
        raise ValueError(
            f"{kind.name}s are named module:Class, such as {path.stem}:{attribute or example}, not "
            f"{text!r}"
        )
    if not all(part.isidentifier() for part in (*module.split("."), attribute)):
        known = f"{suggestion(module, kind.registered)}; or" if kind.group else "; it must be"
        raise ValueError(
            f"unknown {kind.name} {module!r}{known} module:Class, such as {kind.example}"
        )


def _load(kind: CodeKind, module: str, name: str) -> Callable[..., Any]:
    if "" not in sys.path:
        sys.path.append("")  # the current folder, which a command does not search by default
    try:
        found = import_module(module)
    except ImportError as error:
        known = suggestion(module, kind.registered) if kind.group and error.name == module else ""
        raise ValueError(
            f"{kind.name} {module}:{name} cannot be imported: {error}{known}"
        ) from None
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
