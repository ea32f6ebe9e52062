"""Writes the tables of the pages that come from the code: ``make docs``.

Each is below the line ``<!-- table: NAME -->`` of a page.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from importlib.metadata import entry_points
from typing import Any, get_args, get_type_hints

from mindup_agents.champion import Champion
from mindup_agents.search import Search
from mindup_arena.benchmark import SEEDS, read_board
from mindup_env import OBJECTIVES, GameConfig, Layout, StateLayout, mindup_v0
from mindup_env.agent import AGENTS
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS
from mindup_env.files import write_text
from mindup_play.command import Options as PlayOptions
from mindup_play.server import ServerOptions
from tools import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
Row = Sequence[object]
_PLACE = re.compile(r"<!-- table: (\w+) -->\n(?:\n(?:\|.*\n)+)?")
_ARGUMENT = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def with_current_tables(page: str) -> str:
    """The text of a page with all its tables written again."""
    return _PLACE.sub(lambda place: f"<!-- table: {place[1]} -->\n\n{TABLES[place[1]]()}\n", page)


def names_of_tables(page: str) -> list[str]:
    return _PLACE.findall(page)


def _spaces() -> Iterator[Row]:
    yield "players", "`observation`", "`action_mask`", "`state()`"
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        env = mindup_v0.parallel_env(num_players=players)
        seen = env.observation_space("player_0")
        yield players, seen["observation"].shape, seen["action_mask"].shape, env.state_space.shape


def _options() -> Iterator[Row]:
    yield "argument", "default", "meaning"
    named = inspect.signature(mindup_v0.parallel_env).parameters.values()
    defaults = {each.name: each.default for each in named if each.kind is each.KEYWORD_ONLY}
    defaults |= {each.name: each.default for each in fields(GameConfig)}
    meanings = _arguments(mindup_v0.parallel_env) | _arguments(GameConfig)
    for name, value in defaults.items():
        yield f"`{name}`", f"`{value!r}`", meanings[name]


def _objectives() -> Iterator[Row]:
    yield "letter", "points", "condition", "id"
    for each in OBJECTIVES:
        yield each.letter, f"{each.points:+d}", each.condition, f"`{each.id}`"


def _bots() -> Iterator[Row]:
    yield "bot", "how it plays", "options and their defaults"
    for entry in sorted(entry_points(group=AGENTS), key=lambda each: each.name):
        make = entry.load()
        # Not inspect.getdoc: what is inherited says nothing about a subclass.
        paragraph, *_ = inspect.cleandoc(make.__doc__).split("\n\n")
        summary = " ".join(paragraph.split()).removesuffix(".")
        options = [f"`{each.name}={_default(each)}`" for each in _options_of_bot(make)]
        yield f"`{entry.name}`", summary, ", ".join(options)


def _bot(make: Callable[..., Any]) -> Iterator[Row]:
    yield "option", "default", "meaning"
    for option in _options_of_bot(make):
        default = _default(option)
        yield f"`{option.name}`", default and f"`{default}`", _arguments(make)[option.name]


def _options_of_bot(make: Callable[..., Any]) -> list[inspect.Parameter]:
    _config, *given = inspect.signature(make).parameters.values()
    return [each for each in given if each.kind is not each.POSITIONAL_ONLY]


def _default(option: inspect.Parameter) -> str:
    """As it is written after the name of a bot; an option without a default in capitals."""
    default = option.default
    if default is option.empty:
        return option.name.upper()
    return str(default).lower() if isinstance(default, bool) else str(default)


def _arguments(documented: Any) -> dict[str, str]:
    """The meaning of each argument or attribute, from the first such section of a docstring."""
    _, section, *_ = re.split(r"(?:Args|Attributes):\n", inspect.cleandoc(documented.__doc__))
    found = {name: " ".join(meaning.split()) for name, meaning in _ARGUMENT.findall(section)}
    return {name: text.removesuffix(".").replace("``", "`") for name, text in found.items()}


def _play_options() -> Iterator[Row]:
    """The options of ``mindup play``, as its ``--help`` shows them."""
    yield "option", "effect"
    for options in PlayOptions, ServerOptions:
        kinds = get_type_hints(options, include_extras=True)
        for name, meaning in _arguments(options).items():
            given = [each for each in get_args(kinds[name]) if hasattr(each, "metavar")]
            value = "".join(f" {each.metavar}" for each in given)
            yield f"`--{name.replace('_', '-')}{value}`", meaning


def _benchmark() -> Iterator[Row]:
    """The published results, the best first."""
    results = read_board(sorted((ROOT / "docs" / "benchmark").glob("*.json")))
    yield "bot", "score", *(f"{players} players" for players in SEEDS)
    for each in results:
        scores = [each.score(), *map(each.score, SEEDS)]
        texts = [f"{value:.1f} ({low:.1f} to {high:.1f})" for value, low, high in scores]
        yield f"`{each.name}`", *texts


def _text(rows: Callable[[], Iterator[Row]]) -> str:
    head, *body = ([str(cell).replace("|", "&#124;") for cell in row] for row in rows())
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_ROWS: dict[str, Callable[[], Iterator[Row]]] = {
    "spaces": _spaces,
    "options": _options,
    "objectives": _objectives,
    "bots": _bots,
    "search_options": partial(_bot, Search),
    "champion_options": partial(_bot, Champion),
    "play_options": _play_options,
    "benchmark": _benchmark,
}
TABLES: dict[str, Callable[[], str]] = {
    "observation": Layout(GameConfig()).table,
    "state": StateLayout(GameConfig()).table,
    **{name: partial(_text, rows) for name, rows in _ROWS.items()},
}

if __name__ == "__main__":
    for path in PAGES:
        write_text(path, with_current_tables(path.read_text(encoding="utf-8")))
