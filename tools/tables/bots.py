"""The tables of docs/bots.md, from the entry points, signatures and docstrings of the bots."""

import inspect
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from mindup_agents.champion_2 import Champion2
from mindup_agents.features import ENCODERS
from mindup_agents.search import Search
from mindup_env.agent import AGENTS, numbered_spec
from tools.tables.docstrings import arguments, summary
from tools.tables.markdown import table


def bots() -> str:
    made = {entry.name: entry.load() for entry in entry_points(group=AGENTS)}
    rows = []
    for name, make in sorted(made.items()):
        numbered = numbered_spec(name)
        if numbered == name:
            rows.append([f"`{name}`", _without_full_stop(summary(make)), _options(make)])
        else:
            rows.append([f"`{name}`", f"An alias of `{numbered}`, the latest version", ""])
    return table(["bot", "how it plays", "options and their defaults"], rows)


def search_options() -> str:
    return _options_table(Search)


def champion_options() -> str:
    return _options_table(Champion2)


def _options_table(bot: Callable[..., Any]) -> str:
    meanings = arguments(bot)
    rows = [
        [f"`{option.name}`", _code(_default(option)), meanings[option.name]]
        for option in _parameters(bot)
    ]
    return table(["option", "default", "meaning"], rows)


def features() -> str:
    rows = [
        [f"`{name}`", _without_full_stop(summary(encoder))] for name, encoder in ENCODERS.items()
    ]
    return table(["features", "content"], rows)


def _parameters(make: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters that a spec can set."""
    _config, *options = inspect.signature(make).parameters.values()
    return [option for option in options if option.name != "run_folder"]


def _options(make: Callable[..., Any]) -> str:
    return ", ".join(f"`{option.name}={_default(option)}`" for option in _parameters(make))


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _default(option: inspect.Parameter) -> str:
    """As it is written after the name of a bot; an option without a default in capitals."""
    if option.default is option.empty:
        return option.name.upper()
    return str(option.default).lower() if isinstance(option.default, bool) else str(option.default)


def _without_full_stop(sentence: str) -> str:
    return sentence.removesuffix(".")
