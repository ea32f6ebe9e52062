"""The tables of docs/bots.md, from the entry points, signatures and docstrings of the bots."""

import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any

from mindup_agents.champion_2 import Champion2
from mindup_agents.features import ENCODERS
from mindup_agents.llm import BUDGET, LanguageModel
from mindup_agents.llm.bot import SAMPLING
from mindup_agents.llm.environment import KEY, URL
from mindup_agents.search import Search
from mindup_env.agent import AGENTS, numbered_spec
from mindup_env.report import markdown_table
from tools.tables.docstrings import arguments, summary

_FOLDER = "run_folder"
"""A parameter that is not an option: the arena sets it."""


def bots() -> str:
    made = {entry.name: entry.load() for entry in entry_points(group=AGENTS)}
    rows = []
    for name, make in sorted(made.items()):
        numbered = numbered_spec(name)
        if numbered == name:
            rows.append([f"`{name}`", _without_full_stop(summary(make)), _options(make)])
        else:
            rows.append([f"`{name}`", f"An alias of `{numbered}`, the latest version", ""])
    return markdown_table(["bot", "how it plays", "options and their defaults"], rows)


def search_options() -> str:
    return _options_table(Search)


def champion_options() -> str:
    return _options_table(Champion2)


def llm_options() -> str:
    names = ", ".join(f"`{name}`" for name in SAMPLING)
    return _options_table(LanguageModel, [names, "", arguments(LanguageModel)["sampling"]])


def llm_environment() -> str:
    meanings = {
        KEY: "the key; a server of your own may need none",
        URL: "the address of the server, such as `http://127.0.0.1:8000/v1`; by default OpenAI's",
        BUDGET: "the budget of a run, as `mindup arena --budget` sets it",
    }
    return markdown_table(
        ["variable", "meaning"], [[f"`{name}`", each] for name, each in meanings.items()]
    )


def _options_table(bot: Callable[..., Any], *more: Sequence[str]) -> str:
    meanings = arguments(bot)
    rows = [
        [f"`{option.name}`", _code(_default(option)), meanings[option.name]]
        for option in _parameters(bot)
    ]
    return markdown_table(["option", "default", "meaning"], [*rows, *more])


def features() -> str:
    rows = [
        [f"`{name}`", _without_full_stop(summary(encoder))] for name, encoder in ENCODERS.items()
    ]
    return markdown_table(["features", "content"], rows)


def _parameters(make: Callable[..., Any]) -> list[inspect.Parameter]:
    """Those that a spec can give by name."""
    _config, *options = inspect.signature(make).parameters.values()
    return [each for each in options if each.kind is not each.VAR_KEYWORD and each.name != _FOLDER]


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
