"""What a bot is, and the registry of their names."""

import inspect
from collections.abc import Callable
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import entry_points
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
        new_game: npt.NDArray[np.bool_],
        words: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        """Actions (B,) for observations (B, size) and masks (B, num_cards).

        ``new_game`` (B,) is true where the row's game has just begun; ``words`` (B,) are random.
        """
        ...


def list_agents() -> list[str]:
    """The names that ``make_agent`` knows."""
    return sorted(entry.name for entry in entry_points(group=AGENTS))


def make_agent(spec: str, config: GameConfig | None = None) -> Agent:
    """An agent by its name, ``name:option=value,...``, or by ``package.module:Class``."""
    name, _, rest = spec.partition(":")
    found = [entry for entry in entry_points(group=AGENTS) if entry.name == name]
    if found:
        make, options = found[0].load(), _options(rest)
    elif "." in name and rest:
        attribute, _, given = rest.partition(":")
        make, options = _attribute(name, attribute), _options(given)
    else:
        raise ValueError(f"there is no agent {name!r}{_nearest(name, list_agents())}")
    _check_options(name, make, options)
    agent: Agent = make(GameConfig() if config is None else config, **options)
    return agent


def _options(text: str) -> dict[str, Any]:
    options = {}
    for pair in filter(None, text.split(",")):
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"an option is written name=value, not {pair!r}")
        options[name.strip()] = _value(value.strip())
    return options


def _value(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _attribute(module: str, name: str) -> Callable[..., Any]:
    try:
        found: Callable[..., Any] = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"there is no agent {module}:{name}: {error}") from None
    return found


def _check_options(name: str, make: Callable[..., Any], options: dict[str, Any]) -> None:
    known = list(inspect.signature(make).parameters)[1:]  # the first is the config
    for option in options:
        if option not in known:
            raise ValueError(f"agent {name!r} has no option {option!r}{_nearest(option, known)}")


def _nearest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=3, cutoff=0.5) or known
    return f"; there is {', '.join(close)}" if close else ""
