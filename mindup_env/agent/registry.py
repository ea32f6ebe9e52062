"""Bots by name: ``greedy``, ``search:worlds=400``, ``policy:PATH``, ``mybots:Bonus:depth=3``.

A name is a registered one or ``module:Class``, where the module can be a file in the current
folder. After another colon follow the options, keyword arguments of the class. The first option
without a default can be given without its name, and if there is no other, it takes all the text:
``mixture:2:greedy+planner``.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import Parameter, signature
from typing import Any, NamedTuple

from mindup_env.agent.protocol import Agent
from mindup_env.checks import InputError, check_type, shortened, shown, suggestion
from mindup_env.config import GameConfig, check_config

AGENTS = "mindup_env.agents"
"""The entry-point group of bots: each is a class or a function of a config."""

_FORMS = "module:Class, policy:FILE, or the folder of a training"
_READERS: dict[Any, tuple[Callable[[str], Any], str]] = {
    "int": (int, "a whole number"),
    "float": (float, "a number"),
    "bool": ({"true": True, "false": False}.__getitem__, "true or false"),
    "str": (str, "a text"),
}
"""How options are read, by the names of their types."""


class NamedAgent(NamedTuple):
    """What makes a bot: a class or a function of a config, and the other arguments."""

    name: str
    make: Callable[..., Any]
    options: dict[str, Any]
    module: str  # that the name refers to


def make_agent(spec: str, config: GameConfig | None = None) -> Agent:
    """Makes a bot that plays by ``config``, or the published game for four players if None.

    ``spec`` is a registered name such as ``greedy``, or ``module:Class``, where the module can be a
    file in the current folder, or the folder of a training. Options follow as
    ``:option=value,...``; the first option without a default can be given without its name, as in
    ``policy:PATH``.
    """
    config = check_config(GameConfig() if config is None else config)
    with _current_folder():
        found = find_agent(spec)
        agent: Agent = found.make(config, **found.options)
    return agent


def as_agent(bot: str | Agent, config: GameConfig) -> Agent:
    """A bot itself, or the one of this name."""
    if isinstance(bot, type):
        name = bot.__name__
        raise InputError(f"a bot is an object such as {name}(config), not the class {name}")
    return bot if hasattr(bot, "act") else make_agent(bot, config)


def list_agents() -> list[str]:
    """The names of all registered bots."""
    return sorted(_registered())


@cache
def _registered() -> dict[str, EntryPoint]:
    """The registered bots: to read all installed packages takes 20 ms."""
    return {entry.name: entry for entry in entry_points(group=AGENTS)}


def find_agent(spec: str) -> NamedAgent:
    """What makes the bot of a spec."""
    check_type("the name of a bot", spec, str)
    # A registered name stands for its bot, also where a folder has the same name.
    if spec not in _registered() and os.path.isdir(spec):  # noqa: PTH112  # takes any text
        spec = f"policy:{spec}"
    name, _, options = spec.partition(":")
    if name in _registered():
        entry = _registered()[name]
        make = entry.load()
        module = entry.module
    else:
        attribute, _, options = options.partition(":")
        parts = (*name.split("."), attribute)
        if name.endswith(".py") or not all(map(str.isidentifier, parts)):
            known = f"{suggestion(name, list_agents())}; or {_FORMS}"
            if "," in name:
                known = "; bots are separated by spaces"
            elif os.sep in name and name == spec and not name.endswith(".py"):
                known = f"; there is no such folder: give a name, {_FORMS}"
            raise InputError(f"unknown agent {shown(name)}{known}")
        make, module = _load(name, attribute)
        name = f"{name}:{attribute}"
    return NamedAgent(name, make, _read_options(name, make, options.strip()), module)


def _load(module: str, attribute: str) -> tuple[Callable[..., Any], str]:
    """A class or function, and the name of its module."""
    try:
        with _current_folder():
            found = import_module(module)
    except ImportError as error:
        known = suggestion(module, list_agents()) if error.name == module else ""
        told = f"{shortened(f'{module}:{attribute}')} cannot be imported"
        raise InputError(f"{told}: {shortened(str(error))}{known}") from None
    make: Callable[..., Any] | None = getattr(found, attribute, None)
    if not callable(make):
        own = [
            key for key, each in vars(found).items() if getattr(each, "__module__", "") == module
        ]
        known = suggestion(attribute, own)
        raise InputError(f"module {module!r} has no class or function {shown(attribute)}{known}")
    return make, found.__name__


@contextmanager
def _current_folder() -> Iterator[None]:
    """Within it, imports find modules of the current folder first, as those of a script do."""
    sys.path.insert(0, "")
    try:
        yield
    finally:
        sys.path.remove("")


def _read_options(name: str, make: Callable[..., Any], text: str) -> dict[str, Any]:
    """The arguments of a bot beside the config."""
    owner = f"agent {shown(name)}"
    try:
        parameters = [*signature(make).parameters.values()]
    except ValueError:  # as of dict
        parameters = []
    if not parameters:
        raise InputError(f"{owner} must be made with the config of the game, its first argument")
    unnamed = Parameter.POSITIONAL_ONLY, Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD
    named = {each.name: each for each in parameters[1:] if each.kind not in unnamed}
    needed = [key for key, each in named.items() if each.default is each.empty]
    # A path, as of a policy or its folder, may have a comma or an equals sign.
    is_path = os.path.exists(text)  # noqa: PTH110  # takes any text
    takes_all = len(named) == len(needed) == 1 or is_path
    pairs = [text] if takes_all else text.split(",")
    if needed and pairs[0] and (takes_all or "=" not in pairs[0]):
        pairs[0] = f"{needed[0]}={pairs[0].removeprefix(f'{needed[0]}=')}"
    options = {}
    for pair in filter(None, pairs):
        key, equals, value = map(str.strip, pair.partition("="))
        if key not in named or not equals:
            told = f"takes options as name=value, not {shown(pair)}"
            told = f"has no option {shown(key)}" if equals else told
            raise InputError(f"{owner} {told}{suggestion(key, named, 'its options')}")
        kind = bool if isinstance(named[key].default, bool) else named[key].annotation
        options[key] = _read_value(f"option {shown(key)} of {owner}", value, kind)
    if missing := [key for key in needed if key not in options]:
        example = f"{name}:{missing[0].upper()}"
        raise InputError(f"{owner} needs {', '.join(missing)}, as in {example}")
    return options


def _read_value(name: str, text: str, annotation: Any) -> Any:
    """The value of a text by its type; of any other type, a number if it is one."""
    kind = getattr(annotation, "__name__", annotation)  # a text where its evaluation is postponed
    if kind in _READERS:
        read, rule = _READERS[kind]
        try:
            return read(text)
        except (KeyError, ValueError):
            raise InputError(f"{name} must be {rule}, not {shown(text)}") from None
    for number in int, float:
        with suppress(ValueError):
            return number(text)
    return text
