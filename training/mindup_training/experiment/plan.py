"""An experiment: its entries and settings, from the command line and from TOML files."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from mindup_arena.settings import MAX_DEALS
from mindup_env.agent import make_agent
from mindup_env.cli import COMMANDS
from mindup_env.settings.checks import check_entries, suggestion
from mindup_env.settings.declaration import changed, from_plain, option, settings, to_plain
from mindup_training.opponent_mix import parse_share
from mindup_training.settings import RunSettings
from mindup_training.settings.options import command_text
from mindup_training.settings.presets import read_any_preset, read_settings
from mindup_training.train.evaluation import EVALUATION_SEED

FINAL_SEED = 2 * EVALUATION_SEED
"""The deals of the final evaluations occur in no training, and in no evaluation during it."""
MINDUP, PYTHON = "mindup", "python"
_SEED, _OUT = "{seed}", "{out}"
_ENTRIES, _SWEEP, _TRAINING = "entries", "sweep", "training"
_MAX_SEEDS = 10_000  # each is a whole training
_LAST_SEED = 2**32 - 1

Grid = Mapping[str, list[Any]]
"""The values of each setting of a sweep, by names such as ``ppo.learning_rate``."""


@settings
class ExperimentSettings:
    """What an experiment does with each entry.

    The policy that a run ends with is evaluated over the same deals as all others, whatever
    learner made it.
    """

    seeds: int = option("runs of each entry, with a seed each", default=5, low=1, high=_MAX_SEEDS)
    first_seed: int = option(
        "first of the seeds; experiments with other seeds can be merged in one report",
        default=0,
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
class PresetEntry:
    """Trainings with a preset.

    Attributes:
        name: what reports call it.
        preset: the name of a preset, or the path of a TOML file.
        settings: settings that override those of the preset, in the sections of a preset.
        training: all settings of a run but its seed: the preset may change later.
    """

    name: str
    preset: str
    settings: Mapping[str, Any]
    training: RunSettings

    @classmethod
    def of(cls, name: str, preset: str, given: Mapping[str, Any]) -> Self:
        with _errors_name(name):
            if "seed" in given:
                raise ValueError("cannot set 'seed': --seeds sets it")
            training = read_any_preset(preset).changed(given)
            # With one thread, results do not depend on the cores of the machine.
            training = training.changed({"threads": training.threads or 1})
            return cls(name, preset, json.loads(json.dumps(given)), training)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for a report."""
        return {"preset": self.preset, "settings": self.settings}

    def with_setting(self, name: str, value: Any) -> Self:
        """This entry with one more setting, which its name mentions."""
        *sections, key = name.split(".")
        given: Any = {key: value}
        for section in reversed(sections):
            given = {section: {**self.settings.get(section, {}), **given}}
        label = "-".join(map(str, value)) if isinstance(value, list) else str(value)
        return self.of(f"{self.name},{key}={label}", self.preset, {**self.settings, **given})

    def settings_of(self, seed: int) -> RunSettings:
        """The settings of the run with a seed."""
        return self.training.changed({"seed": seed})

    def command_text(self, seed: int, out: Path) -> str:
        """The command of the run with a seed, for people."""
        given = {**self.settings, "threads": self.threads, "seed": seed}
        program = [MINDUP, "train", "--preset", self.preset]
        return f"{command_text(program, given, type(self.training))} --out {shlex.quote(str(out))}"

    def check(self) -> None:
        """Refuses bots with which no run can start."""
        opponents = [parse_share(text).spec for text in getattr(self.training, "opponents", ())]
        for bot in {*opponents, *self.training.evaluation_bots}:
            for config in self.training.tables.values():
                make_agent(bot, config)

    @property
    def threads(self) -> int:
        return self.training.threads


@dataclass(frozen=True)
class CommandEntry:
    """Runs of a command that writes a run folder, with ``{seed}`` and ``{out}`` in it.

    Attributes:
        name: what reports call it.
        command: the text of the command.
    """

    name: str
    command: str

    threads = 1  # as far as an experiment knows

    def to_dict(self) -> dict[str, Any]:
        return {"command": self.command}

    def check(self) -> None:
        """Refuses a command that cannot be started, or that does not say where its seed goes."""
        with _errors_name(self.name):
            for mark in (_SEED, _OUT):
                if mark not in self.command:
                    raise ValueError(f"its command must contain {mark}")
            _check_program(*shlex.split(self.command))

    def words(self, seed: int, out: Path) -> list[str]:
        """The command of the run with a seed."""
        return [
            word.replace(_SEED, str(seed)).replace(_OUT, str(out))
            for word in shlex.split(self.command)
        ]

    def command_text(self, seed: int, out: Path) -> str:
        """The command of the run with a seed, for people."""
        return shlex.join(self.words(seed, out))


Entry = PresetEntry | CommandEntry


@dataclass(frozen=True)
class Experiment:
    """What is compared, and how.

    Attributes:
        entries (tuple[PresetEntry | CommandEntry, ...]): the learners to compare.
        settings (ExperimentSettings): the seeds and the evaluation.
    """

    entries: tuple[Entry, ...]
    settings: ExperimentSettings

    def __post_init__(self) -> None:
        if not self.entries:
            raise ValueError("an experiment needs an entry: a preset, or a file with entries")
        folders: dict[str, str] = {}
        for name in self.names:
            if not (name and name.isprintable()):
                raise ValueError(f"the name of an entry must be a printable text, not {name!r}")
            folder = folder_name(name)
            if folder in folders:
                raise ValueError(
                    f"the entries {folders[folder]!r} and {name!r} would have the same folder: "
                    "give one another name"
                )
            folders[folder] = name

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
            if described is None:
                entries.append(PresetEntry.of(Path(source).stem, source, {}))
                continue
            entries += _entries_of(described.pop(_ENTRIES))
            plain |= described
        points = tuple(point for entry in entries for point in _points(entry, grid))
        settings = changed(ExperimentSettings(), {**plain, **given})
        return cls(points, _with_opponents(settings, points))

    @cached_property
    def names(self) -> list[str]:
        """The names of the entries."""
        return [entry.name for entry in self.entries]

    def check(self) -> None:
        """Refuses, before anything runs, commands and bots with which no run can start."""
        for entry in self.entries:
            entry.check()
        configs = [each.training.configs[0] for each in self.entries if hasattr(each, "training")]
        for bot in self.settings.evaluate_against:
            make_agent(bot, configs[0] if configs else None)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        entries = {
            each.name: {**each.to_dict(), _TRAINING: each.training.to_dict()}
            if isinstance(each, PresetEntry)
            else each.to_dict()
            for each in self.entries
        }
        return {**to_plain(self.settings), _ENTRIES: entries}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Reads what ``to_dict`` returned."""
        settings = {name: value for name, value in plain.items() if name != _ENTRIES}
        entries = tuple(
            PresetEntry(name, each["preset"], each["settings"], read_settings(each[_TRAINING]))
            if _TRAINING in each
            else CommandEntry(name, each["command"])
            for name, each in plain[_ENTRIES].items()
        )
        return cls(entries, from_plain(ExperimentSettings, settings))

    def with_seeds(self, seeds: int, first_seed: int | None = None) -> Self:
        """The same experiment with other seeds."""
        first = self.settings.first_seed if first_seed is None else first_seed
        return replace(self, settings=replace(self.settings, seeds=seeds, first_seed=first))


def folder_name(name: str) -> str:
    """The name of an entry as that of a folder, of which a policy file can be named as a bot."""
    return re.sub(r"[^\w.+-]+", "_", name).lstrip(".") or "_"


def read_sweep(texts: Iterable[str]) -> Grid:
    """The grid of texts such as ``ppo.learning_rate=1e-4,3e-4``."""
    grid: dict[str, list[Any]] = {}
    for text in texts:
        name, is_given, values = text.partition("=")
        if not is_given or not values:
            raise ValueError(f"a sweep is SETTING=VALUE,VALUE,..., not {text!r}")
        if name in grid:
            raise ValueError(f"--sweep must name {name} once")
        grid[name] = _values(values)
    return grid


def _values(text: str) -> list[Any]:
    """Values as in TOML; a text needs no quotes."""
    quoted = ", ".join(part if _is_toml(part) else f"'{part}'" for part in text.split(","))
    for array in (text, quoted):
        if _is_toml(f"[{array}]"):
            return list(tomllib.loads(f"values = [{array}]")["values"])
    raise ValueError(f"cannot read the values {text!r} of a sweep: quote texts, as in TOML")


def _is_toml(value: str) -> bool:
    try:
        tomllib.loads(f"value = {value}")
    except tomllib.TOMLDecodeError:
        return False
    return True


def _read_toml(source: str) -> dict[str, Any] | None:
    """A file with entries; None if it is a preset, which is read where it is needed."""
    path = Path(source)
    if path.suffix != ".toml" or not path.is_file():
        return None
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{source}: {error}") from None
    return plain if _ENTRIES in plain else None


def _entries_of(plain: Any) -> Iterator[Entry]:
    if not isinstance(plain, Mapping):
        raise ValueError(f"entries must be tables [entries.NAME], not {plain!r}")
    for name, each in plain.items():
        entry, grid = each, {}
        if isinstance(each, Mapping):
            entry = {key: value for key, value in each.items() if key != _SWEEP}
            grid = dict(_grid_of_table(name, each.get(_SWEEP, {})))
        yield from _points(_read_entry(name, entry), grid)


def _read_entry(name: str, plain: Any) -> Entry:
    """An entry of a file, without its sweep."""
    if not isinstance(plain, Mapping) or ("preset" in plain) == ("command" in plain):
        raise ValueError(f"entry {name!r} must be a table with a preset or a command")
    kind = "preset" if "preset" in plain else "command"
    check_entries(f"entry {name!r}", plain, [kind], ["settings"] if kind == "preset" else [])
    if not isinstance(plain[kind], str):
        raise ValueError(f"entry {name!r}: {kind} must be a text, not {plain[kind]!r}")
    if kind == "command":
        return CommandEntry(name, plain["command"])
    return PresetEntry.of(name, plain["preset"], plain.get("settings", {}))


def _grid_of_table(entry: str, plain: Any, section: str = "") -> Iterator[tuple[str, list[Any]]]:
    """The grid of a table in a TOML file, in the sections of a preset."""
    if not isinstance(plain, Mapping):
        raise ValueError(f"entry {entry!r}: sweep must be a table, not {plain!r}")
    for name, value in plain.items():
        if isinstance(value, Mapping):
            yield from _grid_of_table(entry, value, f"{section}{name}.")
        elif isinstance(value, list) and value:
            yield f"{section}{name}", value
        else:
            raise ValueError(f"entry {entry!r}: sweep of {section}{name} must be a list of values")


def _points(entry: Entry, grid: Grid) -> Iterator[Entry]:
    """The entry at each point of a grid, the last setting changing fastest."""
    if not grid:
        yield entry
        return
    if isinstance(entry, CommandEntry):
        raise ValueError(
            f"entry {entry.name!r} is a command, and a sweep changes settings of presets: write an "
            "entry for each command"
        )
    (name, values), *others = grid.items()
    for value in values:
        yield from _points(entry.with_setting(name, value), dict(others))


def _with_opponents(settings: ExperimentSettings, entries: Sequence[Entry]) -> ExperimentSettings:
    """With the bots that the presets are evaluated against, unless there are others."""
    if settings.evaluate_against or not entries:
        return settings
    presets = [entry for entry in entries if isinstance(entry, PresetEntry)]
    bots = [bot for entry in presets for bot in entry.training.evaluation_bots]
    if not bots:
        raise ValueError("evaluate_against is missing: the bots to evaluate the policies against")
    return replace(settings, evaluate_against=tuple(dict.fromkeys(bots)))


def _check_program(program: str, *words: str) -> None:
    if program == MINDUP:
        known = sorted(entry.name for entry in entry_points(group=COMMANDS))
        name = words[0] if words else ""
        if name not in known:
            raise ValueError(f"unknown command 'mindup {name}'{suggestion(name, known)}")
    elif not (program == PYTHON and _is_program(words)):
        raise ValueError(
            f"unknown program {shlex.join([program, *words[:2]])!r}; accepted: mindup COMMAND, "
            "python -m MODULE, python FILE"
        )


def _is_program(words: Sequence[str]) -> bool:
    """Whether Python can run these words: a module, or a file."""
    if words[:1] != ("-m",):
        return bool(words) and Path(words[0]).is_file()
    try:
        return len(words) > 1 and find_spec(words[1]) is not None
    except (ImportError, ValueError):
        return False


@contextmanager
def _errors_name(entry: str) -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"entry {entry!r}: {error}") from None
