"""An experiment: its entries and settings, from the command line and from TOML files."""

import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, Self

from mindup_agents.mixture import parse_share
from mindup_arena.settings import MAX_DEALS
from mindup_env.agent import find_agent, make_agent
from mindup_env.config import GameConfig
from mindup_env.settings.declaration import (
    changed,
    from_plain,
    in_sections,
    merged,
    option,
    settings,
    to_plain,
)
from mindup_env.settings.plain_file import content_errors_name
from mindup_training.own_code import check_own_code
from mindup_training.run_folder import policy_spec
from mindup_training.settings import RunSettings, TrainSettings
from mindup_training.settings.options import command_text, without_sections
from mindup_training.settings.presets import read_any_preset, read_settings
from mindup_training.trainer.evaluation import EVALUATION_SEED

FINAL_SEED = 2 * EVALUATION_SEED
"""The deals of the final evaluations occur in no training, and in no evaluation during it."""
MINDUP, PYTHON = "mindup", "python"
_SEED, _OUT = "{seed}", "{out}"
_ENTRIES = "entries"
_MAX_SEEDS = 10_000  # each is a whole training
_LAST_SEED = 2**32 - 1
_VALUE = re.compile(r"""\[.*?\]|'[^']*'|"[^"]*"|[^,]+""")
"""A value of a sweep: a list, a text in quotes, or anything else without a comma."""

Grid = Mapping[str, Sequence[Any]]
"""The values of each setting of a sweep, by names such as ``ppo.learning_rate``."""


@settings
class ExperimentSettings:
    """What an experiment does with each entry.

    The policy that a run ends with is evaluated over the same deals as all others, whatever
    learner made it.
    """

    # Experiments with other seeds are equal: they continue each other, or are merged.
    seeds: int = option(
        "runs of each entry, with a seed each", default=5, low=1, high=_MAX_SEEDS, compare=False
    )
    first_seed: int = option(
        "first of the seeds; experiments with other seeds can be merged in one report",
        default=0,
        compare=False,
        low=0,
        high=_LAST_SEED,
    )
    evaluate_against: tuple[str, ...] = option(
        "bots to evaluate the final policies against (default: those of the presets)",
        default=(),
        metavar="BOT",
    )
    evaluation_deals: int = option(
        "deals per bot in this evaluation, each played from every seat",
        default=500,
        low=1,
        high=MAX_DEALS,
    )

    def __post_init__(self) -> None:
        if self.first_seed + self.seeds - 1 > _LAST_SEED:
            raise ValueError(f"the last seed must be at most {_LAST_SEED}")
        if len({*self.evaluate_against}) < len(self.evaluate_against):
            raise ValueError("evaluate_against must name each bot once")

    @property
    def all_seeds(self) -> range:
        """The seeds of each entry."""
        return range(self.first_seed, self.first_seed + self.seeds)


@dataclass(frozen=True)
class Entry:
    """What is compared: trainings with a preset, or runs of a command."""

    name: str
    preset: str = ""  # its name, or the path of a TOML file
    settings: Mapping[str, Any] = field(default_factory=dict)  # override those of the preset
    # All settings of a run but its seed, since the preset may change later; None for a command.
    training: RunSettings | None = None
    command: str = ""  # writes a run folder, with {seed} and {out}
    bot: str = ""  # what the command makes, with the same; the policy in its folder if empty

    def to_dict(self) -> dict[str, Any]:
        """Plain data for a report."""
        if self.command:
            return {"command": self.command} | ({"bot": self.bot} if self.bot else {})
        return {"preset": self.preset, "settings": self.settings}

    def words(self, seed: int, out: Path) -> list[str]:
        """The command of the run with a seed."""
        if self.training is None:
            return [_filled(word, seed, out) for word in shlex.split(self.command)]
        given = {**self.settings, "threads": self.threads, "seed": seed}
        # Without a learner, the command takes the options of these settings alone.
        own = isinstance(self.training, TrainSettings)
        learner = [] if own else ["--learner", self.training.learner]
        program = [MINDUP, "train", *learner, "--preset", self.preset]
        return [*shlex.split(command_text(program, given, type(self.training))), "--out", str(out)]

    def spec(self, seed: int, out: Path) -> str:
        """The bot of the run with a seed."""
        return _filled(self.bot, seed, out) if self.bot else policy_spec(out)

    @property
    def threads(self) -> int:
        """The threads of a run, as far as an experiment knows."""
        return 1 if self.training is None else self.training.threads


@settings(kw_only=True)
class _EntryOfFile:
    """An entry as a TOML file has it, which is one or, with a sweep, several of an experiment."""

    preset: str | None = None
    command: str | None = None
    bot: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    sweep: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if (self.preset is None) == (self.command is None):
            raise ValueError("it must have a preset or a command")
        if self.command is None:
            if self.bot:
                raise ValueError("only a command has a bot: that of a preset is its policy")
            return
        if self.settings:
            raise ValueError("a command has no settings: write them into the command")
        for mark in (_SEED, _OUT):
            if mark not in self.command:
                raise ValueError(f"its command must contain {mark}")
        program = shlex.split(self.command)[0]
        if program not in (MINDUP, PYTHON):
            raise ValueError(
                f"unknown program {program!r}; accepted: mindup COMMAND, python -m MODULE, python "
                "FILE"
            )

    def entries(self, name: str, grid: Grid) -> Iterator[Entry]:
        """An entry at each point of a grid, as its name says; the last setting changes fastest."""
        sweep = dict(without_sections(self.sweep))
        for setting, swept in sweep.items():
            if not (isinstance(swept, list) and swept):
                raise ValueError(f"the sweep of {setting} must be a list of values")
        grid = {**sweep, **grid}
        if self.preset is None:
            if grid:
                raise ValueError(
                    "it is a command, and a sweep changes settings of presets: write an entry for "
                    "each command"
                )
            yield Entry(name, command=self.command or "", bot=self.bot)
            return
        for values in product(*grid.values()):
            point = dict(zip(grid, values, strict=True))
            own_name, given = name, merged(self.settings, in_sections(point))
            for path, value in point.items():
                label = "-".join(map(str, value)) if isinstance(value, list) else value
                own_name += f",{path.rpartition('.')[2]}={label}"
            if "seed" in given:
                raise ValueError("cannot set 'seed': --seeds sets it")
            training = read_any_preset(self.preset).changed(given)
            # With one thread, results do not depend on the cores of the machine.
            training = training.changed({"threads": training.threads or 1})
            yield Entry(own_name, self.preset, given, training)


@dataclass(frozen=True)
class Experiment:
    """What is compared, and how.

    Attributes:
        entries (tuple[Entry, ...]): the learners to compare.
        settings (ExperimentSettings): the seeds and the evaluation.
    """

    entries: tuple[Entry, ...]
    settings: ExperimentSettings

    def __post_init__(self) -> None:
        if not self.entries:
            raise ValueError("an experiment needs an entry: a preset, or a file with entries")
        folders = [folder_name(name) for name in self.names]
        for name, folder in zip(self.names, folders, strict=True):
            if not (name and name.isprintable()):
                raise ValueError(f"the name of an entry must be a printable text, not {name!r}")
            if folders.count(folder) > 1:
                raise ValueError(
                    f"two entries would have the folder {folder!r}, one is {name!r}: give it "
                    "another name"
                )

    @classmethod
    def read(cls, sources: Sequence[str], grid: Grid, given: Mapping[str, Any]) -> Self:
        """An experiment from presets and TOML files.

        Args:
            sources: names of presets, paths of presets, and paths of files with ``[entries]``.
            grid: the values of each setting of a sweep, over all presets.
            given: settings of the experiment that override those of the files.

        Raises:
            ValueError: a file, a name or a setting is wrong.
        """
        entries: list[Entry] = []
        plain: dict[str, Any] = {}
        for source in sources:
            described = _read_toml(source)
            found: Any = {Path(source).stem: {"preset": source}}
            if _ENTRIES in described:
                found = described.pop(_ENTRIES)
                plain |= described
            if not isinstance(found, dict):
                raise ValueError(f"{source}: entries must be tables [entries.NAME]")
            for name, each in found.items():
                with content_errors_name(f"entry {name!r}"):
                    entries += from_plain(_EntryOfFile, each).entries(name, grid)
        settings = changed(ExperimentSettings(), {**plain, **given})
        if entries and not settings.evaluate_against:
            trained = [each.training.evaluation_bots for each in entries if each.training]
            bots = dict.fromkeys(bot for bots in trained for bot in bots)
            if not bots:
                raise ValueError(
                    "evaluate_against is missing: the bots to evaluate the policies against"
                )
            settings = replace(settings, evaluate_against=tuple(bots))
        return cls(tuple(entries), settings)

    @property
    def names(self) -> list[str]:
        """The names of the entries."""
        return [entry.name for entry in self.entries]

    @property
    def games(self) -> tuple[GameConfig, ...]:
        """The games of bots that are no policies: those of the first preset."""
        trainings = (entry.training.configs for entry in self.entries if entry.training)
        return next(trainings, (GameConfig(),))

    def check(self) -> None:
        """Refuses, before anything runs, bots and own code with which no run can start."""
        for entry in self.entries:
            if entry.bot:
                find_agent(entry.bot)
        for training in (entry.training for entry in self.entries if entry.training):
            check_own_code(training)
            opponents = [parse_share(text).spec for text in getattr(training, "opponents", ())]
            bots = {*opponents, *training.evaluation_bots}
            for bot, config in product(bots, training.tables.values()):
                make_agent(bot, config)
        for bot in self.settings.evaluate_against:
            make_agent(bot, self.games[0])

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        entries = {}
        for each in self.entries:
            training = {"training": each.training.to_dict()} if each.training else {}
            entries[each.name] = {**each.to_dict(), **training}
        return {**to_plain(self.settings), _ENTRIES: entries}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Reads what ``to_dict`` returned."""
        entries = []
        for name, each in plain[_ENTRIES].items():
            training = read_settings(each["training"]) if "training" in each else None
            entries.append(Entry(name, **{**each, "training": training}))
        settings = {name: value for name, value in plain.items() if name != _ENTRIES}
        return cls(tuple(entries), from_plain(ExperimentSettings, settings))


def _filled(text: str, seed: int, out: Path) -> str:
    return text.replace(_SEED, str(seed)).replace(_OUT, str(out))


def folder_name(name: str) -> str:
    """The name of an entry as that of a folder, of which a policy file can be named as a bot."""
    return re.sub(r"[^\w.+-]+", "_", name).lstrip(".") or "_"


def read_sweep(texts: Iterable[str]) -> Grid:
    """The grid of texts such as ``ppo.learning_rate=1e-4,3e-4``; a text needs no quotes."""
    grid: dict[str, Sequence[Any]] = {}
    for text in texts:
        name, _, values = text.partition("=")
        if not values:
            raise ValueError(f"a sweep is SETTING=VALUE,VALUE,..., not {text!r}")
        if name in grid:
            raise ValueError(f"--sweep must name {name} once")
        grid[name] = found = []
        for value in _VALUE.findall(values):
            try:
                found.append(tomllib.loads(f"value = {value}")["value"])
            except tomllib.TOMLDecodeError:
                found.append(value)
    return grid


def _read_toml(source: str) -> dict[str, Any]:
    """What a file has; nothing if a preset is named."""
    path = Path(source)
    if path.suffix != ".toml" or not path.is_file():
        return {}
    with content_errors_name(path):
        try:
            return tomllib.loads(path.read_text(encoding="utf-8"))
        except RecursionError as error:
            raise ValueError(error) from None
