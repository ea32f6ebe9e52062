"""The tables of what the code declares: the environment, bots, settings, options of commands."""

import argparse
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from html import escape
from importlib.metadata import entry_points
from typing import Any

from mindup_agents.llm import LanguageModel
from mindup_agents.llm.bot import SAMPLING
from mindup_agents.lookahead import Champion
from mindup_agents.process.messages import (
    CARDS,
    OBJECTIVES,
    OPTIONAL_VIEWS,
    SPARE_BITS,
    view_fields,
)
from mindup_agents.search import Search
from mindup_arena import command as arena
from mindup_arena.benchmark.protocol import GAMES, PANEL, SIZES, BenchmarkSettings
from mindup_env import OBJECTIVES as ALL_OBJECTIVES
from mindup_env import GameConfig, Layout, StateLayout, mindup_v0
from mindup_env.agent import AGENTS, full_spec
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS
from mindup_env.render.modes import RENDER_MODES
from mindup_env.settings.declaration import options_of
from mindup_play import command as play
from mindup_training.champion import ChampionSettings
from mindup_training.settings import PPOSettings, RllibSettings, SelfPlaySettings, TrainSettings
from mindup_training.settings.presets import read_preset
from tools.tables import TABLES, Row, code, table

_ARGUMENT = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)

# The environment

TABLES["observation"] = Layout(GameConfig()).table
TABLES["state"] = StateLayout(GameConfig()).table


@table
def facts() -> Iterator[Row]:
    env = mindup_v0.parallel_env()
    agents = env.possible_agents
    vector: Any = env.observation_space(agents[0])["observation"]  # a Box
    yield "for four players", ""
    yield "Import", "`from mindup_env import mindup_v0`"
    yield "Agents", f"`{agents[0]}` to `{agents[-1]}`; {MIN_PLAYERS} to {MAX_PLAYERS} of them"
    yield "Actions", f"`{env.action_space('player_0')}`, with a mask"
    bounds = f"{vector.low.min()} to {vector.high.max()}"
    yield "Observation", f"{vector.shape} {vector.dtype}, {bounds}"
    yield "State", f"{env.state_space.shape} {env.state_space.dtype}"
    yield "PettingZoo", "parallel and AEC"
    yield "Rendering", ", ".join(code(RENDER_MODES))


@table
def spaces() -> Iterator[Row]:
    """The sizes for each number of players, and in the padded layout of the most players."""
    yield "players", "`observation`", "`action_mask`", "`state()`"
    sizes: dict[object, tuple[int, int | None]]
    sizes = {players: (players, None) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
    sizes[f"padded to {MAX_PLAYERS}"] = MIN_PLAYERS, MAX_PLAYERS
    for name, (players, padded) in sizes.items():
        env = mindup_v0.parallel_env(num_players=players, pad_to_players=padded)
        seen = env.observation_space("player_0")
        yield name, seen["observation"].shape, seen["action_mask"].shape, env.state_space.shape


@table
def options() -> Iterator[Row]:
    yield "argument", "default", "meaning"
    named = inspect.signature(mindup_v0.parallel_env).parameters.values()
    defaults = {each.name: each.default for each in named if each.kind is each.KEYWORD_ONLY}
    defaults |= {each.name: each.default for each in fields(GameConfig)}
    meanings = _arguments(mindup_v0.parallel_env) | _arguments(GameConfig)
    for name, value in defaults.items():
        yield f"`{name}`", f"`{value!r}`", meanings[name]


@table
def objectives() -> Iterator[Row]:
    yield "letter", "points", "condition", "id"
    for each in ALL_OBJECTIVES:
        yield each.letter, f"{each.points:+d}", each.condition, f"`{each.id}`"


# Bots


@table
def bots() -> Iterator[Row]:
    yield "bot", "how it plays", "options and their defaults"
    for entry in sorted(entry_points(group=AGENTS), key=lambda each: each.name):
        name, numbered = f"`{entry.name}`", full_spec(entry.name)
        if numbered != entry.name:
            yield name, f"An alias of `{numbered}`, the latest version", ""
            continue
        make = entry.load()
        defaults = [f"{each.name}={_default(each)}" for each in _bot_options(make)]
        yield name, _summary(make), ", ".join(code(defaults))


@table
def llm_options() -> Iterator[Row]:
    yield from _options_table(LanguageModel)
    yield ", ".join(code(SAMPLING)), "", _arguments(LanguageModel)["sampling"]


@table
def protocol_view() -> Iterator[Row]:
    """The fields of a seat."""
    yield "field", "value", "meaning"
    bits = f"{64 - SPARE_BITS} random bits, drawn anew for each decision"
    yield "`random_bits`", "integer", bits
    lists = {CARDS: "list of cards", OBJECTIVES: "list of ids"}
    for field in view_fields(GameConfig()):
        value = lists.get(field.holds, "list of integers" if field.part.shape else "integer")
        value = f"for each player: {value}" if field.of_players else value
        yield f"`{field.name}`", value, field.meaning
    for name, meaning in OPTIONAL_VIEWS.items():
        yield f"`{name}`", "if asked for", meaning


def _options_table(bot: Callable[..., Any]) -> Iterator[Row]:
    yield "option", "default", "meaning"
    meanings = _arguments(bot)
    for option in _bot_options(bot):
        default = _default(option)
        yield f"`{option.name}`", f"`{default}`" if default else "", meanings[option.name]


table(partial(_options_table, Search), "search_options")
table(partial(_options_table, Champion), "champion_options")


def _bot_options(make: Callable[..., Any]) -> list[inspect.Parameter]:
    """Those that a spec can give by name; the arena sets the folder of a run."""
    _config, *given = inspect.signature(make).parameters.values()
    return [
        each for each in given if each.kind is not each.VAR_KEYWORD and each.name != "run_folder"
    ]


def _default(option: inspect.Parameter) -> str:
    """As it is written after the name of a bot; an option without a default in capitals."""
    if option.default is option.empty:
        return option.name.upper()
    return str(option.default).lower() if isinstance(option.default, bool) else str(option.default)


def _summary(documented: Any) -> str:
    """The first paragraph of a docstring, in one line without the full stop."""
    # Not inspect.getdoc: a docstring that is inherited says nothing about a subclass.
    paragraph = inspect.cleandoc(documented.__doc__).partition("\n\n")[0]
    return " ".join(paragraph.split()).removesuffix(".")


def _arguments(documented: Any) -> dict[str, str]:
    """The meaning of each argument or attribute, from their section of a docstring."""
    *_, section = re.split(r"(?:Args|Attributes):\n", inspect.cleandoc(documented.__doc__))
    found = {name: " ".join(meaning.split()) for name, meaning in _ARGUMENT.findall(section)}
    return {name: text.removesuffix(".").replace("``", "`") for name, text in found.items()}


# The benchmark


@table
def benchmark_games() -> Iterator[Row]:
    yield "players", "objectives", "seed of the deals", "seed of the bots' bits"
    yield from GAMES


@table
def benchmark_panel() -> Iterator[Row]:
    yield "rival", "bot"
    yield from map(code, PANEL.items())


@table
def benchmark_sizes() -> Iterator[Row]:
    yield "size", "deals of each match", "games", "decisions of your bot"
    for name, size in SIZES.items():
        count = BenchmarkSettings("mybot:Bot", name).num_games
        decisions = count * GAMES[0].config.num_turns
        yield f"`{name}`", size.deals, f"{count:,}", f"{decisions:,}"


# Training


def _settings_table(columns: dict[str, Any]) -> Iterator[Row]:
    """A row for each setting; columns are instances of one dataclass."""
    yield "setting", *columns, "meaning"
    options = options_of(type(next(iter(columns.values()))))
    for name in options:
        values = code(_literal(getattr(settings, name)) for settings in columns.values())
        yield f"`{name}`", *values, options[name].help


def _literal(value: Any) -> str:
    """As a preset has it."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:_}" if isinstance(value, int) else str(value)


for _name, _settings in {
    "champion_settings": ChampionSettings,
    "ppo_settings": PPOSettings,
    "rllib_settings": RllibSettings,
    "self_play_settings": SelfPlaySettings,
}.items():
    table(partial(_settings_table, {"default": _settings()}), _name)
_training = {"default": TrainSettings(), "in `quick`": read_preset("quick")}
table(partial(_settings_table, _training), "train_settings")


# The options of commands, as ``--help`` shows them


def _command_options(configure: Callable[[argparse.ArgumentParser], None]) -> Iterator[Row]:
    yield "option", "effect"
    parser = argparse.ArgumentParser(add_help=False)
    configure(parser)
    formatter = argparse.HelpFormatter(parser.prog)
    for action in parser._actions:
        if action.option_strings and action.help is not argparse.SUPPRESS:
            names = formatter._format_action_invocation(action).replace("|", " or ")
            yield f"`{names}`", escape(formatter._expand_help(action), quote=False)


table(partial(_command_options, arena.configure), "arena_options")
table(partial(_command_options, play.configure), "play_options")
