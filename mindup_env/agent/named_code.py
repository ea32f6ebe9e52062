"""Code that a text names, such as ``greedy``, ``mybots:Bonus`` or ``mybots:Bonus:depth=3``.

There is one grammar for bots, networks, rewards, callbacks and all others: a registered name or
``module:Class``, and after another colon the options.
"""

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import PurePath
from typing import Any, NamedTuple

from mindup_env.agent.spec_options import read_options, takes_rest_of_spec
from mindup_env.settings.checks import suggestion


class CodeKind(NamedTuple):
    """What a text names, for errors.

    Attributes:
        name: in the singular, such as ``agent``.
        example: a text that names one of a user.
        group: the entry-point group of the registered names; there are none without it.
    """

    name: str
    example: str
    group: str | None = None

    @property
    def registered(self) -> list[str]:
        """The registered names."""
        return sorted(entry.name for entry in entry_points(group=self.group)) if self.group else []

    def numbered(self, spec: str) -> str:
        """The spec with the number of a version: ``champion`` is an alias of the latest."""
        name, colon, rest = spec.partition(":")
        targets = {entry.name: entry.value for entry in entry_points(group=self.group or "")}
        names = [other for other in targets if targets[other] == targets.get(name)]
        return max(names, key=len, default=name) + colon + rest


@dataclass(frozen=True)
class NamedCode:
    """A class or function that a text names, with the text of its options.

    Attributes:
        kind: what it is.
        spec: the text that names it, with the number of the version for an alias.
        name: ``module:Class``, or a registered name.
        make: the class or function.
        options: the text of its options.
        module: the module that the name refers to.
    """

    kind: CodeKind
    spec: str
    name: str
    make: Callable[..., Any]
    options: str
    module: str

    def read_options(self, positional: int, **supplied: Any) -> dict[str, Any]:
        """The keyword arguments to call it with.

        Args:
            positional: the number of its first parameters that are no options.
            supplied: arguments that no text can set; it gets those that it has parameters for.
        """
        owner = f"{self.kind.name} {self.name!r}"
        return read_options(owner, self.name, self.make, self.options, positional, supplied)

    def build(self, *arguments: Any, **supplied: Any) -> Any:
        """Calls it with these arguments and its options."""
        return self.make(*arguments, **self.read_options(len(arguments), **supplied))

    @property
    def takes_rest_of_spec(self) -> bool:
        """Whether all text after the colon is one option, such as a command."""
        return takes_rest_of_spec(self.make)


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
    for entry in entry_points(group=kind.group or ""):
        if entry.name == module:
            spec = kind.numbered(text)
            return NamedCode(kind, spec, module, entry.load(), rest, entry.module)
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
        unknown = kind.group and getattr(error, "name", None) == module
        known = suggestion(module, kind.registered) if unknown else ""
        raise ValueError(
            f"{kind.name} {module}:{name} cannot be imported: {error}{known}"
        ) from None
    make: Callable[..., Any] | None = getattr(found, name, None)
    if not callable(make):
        kinds = (inspect.isclass, inspect.isfunction)
        own = [
            key
            for key, value in vars(found).items()
            if any(is_kind(value) for is_kind in kinds) and value.__module__ == module
        ]
        raise ValueError(
            f"module {module!r} has no class or function {name!r}{suggestion(name, own)}"
        )
    return make
