"""What a bot is, and the registry of their names."""

import inspect
import sys
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig

AGENTS = "mindup_env.agents"
"""The entry-point group: a name, and a class or function that makes the agent of a config."""


class Agent(Protocol):
    """Chooses cards for many seats at once, each from what that seat sees.

    All chance in a row comes from that row's word and all memory is kept by row, so that a row's
    choice does not depend on the other rows of the batch.
    """

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        """Actions (B,) for observations (B, size) and masks (B, num_cards).

        ``episode_start`` (B,) is true where the row's game has just begun; ``random_bits`` (B,)
        are 64 random bits for each row.
        """
        ...


def list_agents() -> list[str]:
    """The names that ``make_agent`` knows."""
    return sorted(entry.name for entry in entry_points(group=AGENTS))


def make_agent(spec: str, config: GameConfig | None = None) -> Agent:
    """An agent by its name or by ``module:Class``, and perhaps options: ``name:option=value,...``.

    A module may be a file of the current folder. An option that an agent cannot do without can
    come first without its name: ``policy:PATH``.
    """
    name, _, rest = spec.partition(":")
    found = [entry for entry in entry_points(group=AGENTS) if entry.name == name]
    if found:
        make = found[0].load()
    elif _names_a_class(name, rest):
        attribute, _, rest = rest.partition(":")
        make = _attribute(name, attribute)
    else:
        raise ValueError(f"there is no agent {name!r}{_nearest(name, list_agents())}")
    options = _options(name, make, rest)
    agent: Agent = make(GameConfig() if config is None else config, **options)
    return agent


def _names_a_class(module: str, rest: str) -> bool:
    random_bits = [*module.split("."), rest.partition(":")[0]]
    return all(word.isidentifier() for word in random_bits)


def _attribute(module: str, name: str) -> Callable[..., Any]:
    if "" not in sys.path:
        sys.path.append("")  # the current folder, where a command does not look by itself
    try:
        found = import_module(module)
    except ImportError as error:
        known = _nearest(module, list_agents())
        raise ValueError(f"there is no agent {module}:{name}: {error}{known}") from None
    make: Callable[..., Any] | None = getattr(found, name, None)
    if not callable(make):
        own = [key for key, value in vars(found).items() if _is_class_of(found, value)]
        fault = f"the module has no class {name!r}{_nearest(name, own)}"
        raise ValueError(f"there is no agent {module}:{name}: {fault}")
    return make


def _is_class_of(module: ModuleType, value: Any) -> bool:
    return inspect.isclass(value) and value.__module__ == module.__name__


def _options(name: str, make: Callable[..., Any], text: str) -> dict[str, Any]:
    """The options in ``text``, each of the kind that ``make`` is annotated with."""
    rest = list(inspect.signature(make).parameters.values())[1:]  # the first is the config
    known = {option.name: option for option in rest if option.kind not in _UNNAMED}
    needed = [key for key, option in known.items() if option.default is option.empty]
    options = {}
    for place, pair in enumerate(filter(None, text.split(","))):
        key, equals, value = map(str.strip, pair.partition("="))
        if not equals and place == 0 and needed:
            key, value = needed[0], key
        elif not equals:
            raise ValueError(f"an option is written name=value, not {pair!r}")
        if key not in known:
            raise ValueError(f"agent {name!r} has no option {key!r}{_nearest(key, list(known))}")
        options[key] = _value(f"option {key!r} of agent {name!r}", value, known[key].annotation)
    missing = [key for key in needed if key not in options]
    if missing:
        raise ValueError(f"agent {name!r} needs {', '.join(missing)}: {name}:{missing[0].upper()}")
    return options


def _value(name: str, text: str, annotation: Any) -> Any:
    # An annotation is a text where its module postpones them.
    kind = getattr(annotation, "__name__", annotation)
    read, rule = _KINDS.get(kind, (_guess, ""))
    try:
        return read(text)
    except (KeyError, ValueError):
        raise ValueError(f"{name} must be {rule}, not {text!r}") from None


def _guess(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


_UNNAMED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_KINDS: dict[str, tuple[Callable[[str], Any], str]] = {
    "int": (int, "a whole number"),
    "float": (float, "a number"),
    "bool": ({"true": True, "false": False}.__getitem__, "true or false"),
    "str": (str, "a text"),
}


def _nearest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=3, cutoff=0.5) or known
    return f"; there is {', '.join(close)}" if close else ""
