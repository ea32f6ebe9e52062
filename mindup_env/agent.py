"""The protocol of a bot, and the registry of bots by name."""

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import PurePath
from types import ModuleType
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from mindup_env.checks import describe_array, suggestion
from mindup_env.config import GameConfig, check_config
from mindup_env.observation import layout_of

AGENTS = "mindup_env.agents"
"""The entry-point group of bots: each is a class or a function of a config."""

_EXAMPLE = "mybots:Bonus"


class Agent(Protocol):
    """A bot: chooses cards for a batch of seats, each from what that seat sees.

    The rows of a batch are independent: all randomness of a row comes from its ``random_bits``,
    and memory is kept by row and cleared where ``episode_start`` is true. So the choice of a row
    does not depend on the other rows.
    """

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        """Chooses a card for each row.

        Args:
            observation: what each seat sees, int8 (B, size).
            action_mask: 1 for each card of the hand, int8 (B, num_cards).
            episode_start: whether the game of the row has just begun, bool (B,).
            random_bits: 64 random bits for each row, uint64 (B,).

        Returns:
            Actions (B,): action ``a`` plays card number ``a + 1``.
        """
        ...


def check_act_arguments(
    config: GameConfig,
    observation: npt.NDArray[np.int8],
    action_mask: npt.NDArray[np.int8],
    episode_start: npt.NDArray[np.bool_],
    random_bits: npt.NDArray[np.uint64],
) -> None:
    """Refuses arguments of ``Agent.act`` of another type or shape, for bots of compiled code."""
    rows = len(observation) if isinstance(observation, np.ndarray) and observation.ndim else 0
    for name, array, dtype, shape in (
        ("observation", observation, np.int8, (rows, layout_of(config).size)),
        ("action_mask", action_mask, np.int8, (rows, config.num_cards)),
        ("episode_start", episode_start, np.bool_, (rows,)),
        ("random_bits", random_bits, np.uint64, (rows,)),
    ):
        if not isinstance(array, np.ndarray) or array.dtype != dtype or array.shape != shape:
            raise ValueError(
                f"{name} of {rows} rows must be an array of {dtype.__name__} of shape {shape}, not "
                f"{describe_array(array)}"
            )


def list_agents() -> list[str]:
    """The names of all registered bots."""
    return sorted(entry.name for entry in entry_points(group=AGENTS))


def numbered_spec(spec: str) -> str:
    """The spec with the number of the bot's version: ``champion`` is an alias of the latest."""
    name, colon, rest = spec.partition(":")
    targets = {entry.name: entry.value for entry in entry_points(group=AGENTS)}
    names = [other for other in targets if targets[other] == targets.get(name)]
    return max(names, key=len, default=name) + colon + rest


def make_agent(spec: str, config: GameConfig | None = None) -> Agent:
    """Makes a bot.

    Args:
        spec: a registered name such as ``greedy``, or ``module:Class``, where the module can be a
            file in the current folder. Options follow as ``:option=value,...``; the first option
            without a default can be given without its name, as in ``policy:PATH``.
        config: the rules of the games to play; the published game for four players if None.
    """
    if not isinstance(spec, str):
        raise ValueError(f"an agent is named by a text such as 'greedy', not {spec!r}")
    config = check_config(GameConfig() if config is None else config)
    name, _, rest = spec.partition(":")
    found = [entry for entry in entry_points(group=AGENTS) if entry.name == name]
    if found:
        make = found[0].load()
    else:
        attribute, _, rest = rest.partition(":")
        _check_class_name(spec, name, attribute)
        make, name = _load_class(name, attribute), f"{name}:{attribute}"
    agent: Agent = make(config, **_read_options(name, make, rest))
    return agent


def _check_class_name(spec: str, module: str, attribute: str) -> None:
    """Refuses what is neither a registered name nor ``module:Class``."""
    path = PurePath(module)
    if path.suffix == ".py" or (len(path.parts) > 1 and not path.suffix):
        raise ValueError(
            f"agents are named module:Class, such as {path.stem}:{attribute or 'Bot'}, not {spec!r}"
        )
    if not all(part.isidentifier() for part in (*module.split("."), attribute)):
        raise ValueError(
            f"unknown agent {module!r}{suggestion(module, list_agents())}; "
            f"or module:Class, such as {_EXAMPLE}"
        )


def _load_class(module: str, name: str) -> Callable[..., Any]:
    if "" not in sys.path:
        sys.path.append("")  # the current folder, which a command does not search by default
    try:
        found = import_module(module)
    except ImportError as error:
        unknown = getattr(error, "name", None) == module
        known = suggestion(module, list_agents()) if unknown else ""
        raise ValueError(f"agent {module}:{name} cannot be imported: {error}{known}") from None
    make: Callable[..., Any] | None = getattr(found, name, None)
    if not callable(make):
        own = [key for key, value in vars(found).items() if _is_class_of(found, value)]
        raise ValueError(f"module {module!r} has no class {name!r}{suggestion(name, own)}")
    return make


def _is_class_of(module: ModuleType, value: Any) -> bool:
    return inspect.isclass(value) and value.__module__ == module.__name__


def _read_options(name: str, make: Callable[..., Any], text: str) -> dict[str, Any]:
    """The options in ``text``, converted to the types that ``make`` is annotated with."""
    parameters = list(inspect.signature(make).parameters.values())[1:]  # the first is the config
    known = {option.name: option for option in parameters if option.kind not in _UNNAMED}
    needed = [key for key, option in known.items() if option.default is option.empty]
    options = {}
    for index, pair in enumerate(filter(None, text.split(","))):
        key, equals, value = map(str.strip, pair.partition("="))
        if not equals and index == 0 and needed:
            key, value = needed[0], key
        elif not known:
            again = f"; to use it {key} times, list it {key} times" if key.isdecimal() else ""
            raise ValueError(f"agent {name!r} has no options, but was given {pair!r}{again}")
        elif not equals:
            available = suggestion(key, known)
            raise ValueError(f"an option of agent {name!r} is name=value, not {pair!r}{available}")
        if key not in known:
            raise ValueError(f"agent {name!r} has no option {key!r}{suggestion(key, known)}")
        options[key] = _read_value(f"option {key!r} of agent {name!r}", value, known[key])
    missing = [key for key in needed if key not in options]
    if missing:
        raise ValueError(
            f"agent {name!r} needs {', '.join(missing)}, as in {name}:{missing[0].upper()}"
        )
    return options


def _read_value(name: str, text: str, option: inspect.Parameter) -> Any:
    # With postponed evaluation, an annotation is a string.
    annotation = getattr(option.annotation, "__name__", option.annotation)
    read, rule = _TYPES.get(annotation, (_guess, ""))
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
