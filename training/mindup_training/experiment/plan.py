"""An experiment: its entries and settings, from the command line and from TOML files."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from mindup_env.agent import make_agent
from mindup_env.settings.checks import check_entries
from mindup_env.settings.declaration import from_plain, options_of
from mindup_training.experiment.entry import CommandEntry, Entry, PresetEntry, read_entry
from mindup_training.experiment.settings import ExperimentSettings
from mindup_training.experiment.sweep import Grid, expand, grid_of_table
from mindup_training.settings import TrainSettings

_ENTRIES, _SWEEP = "entries", "sweep"


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
                entries.append(PresetEntry(Path(source).stem, source, {}))
                continue
            entries += _entries_of(described.pop(_ENTRIES))
            plain |= described
        points = [point for entry in entries for point in _points(entry, grid)]
        settings = from_plain(ExperimentSettings, {**plain, **given})
        return cls(tuple(points), _with_opponents(settings, points))

    @cached_property
    def names(self) -> list[str]:
        """The names of the entries."""
        return [entry.name for entry in self.entries]

    def check(self) -> None:
        """Refuses, before anything runs, settings and bots with which no run can start."""
        for entry in self.entries:
            entry.check()
        presets = [entry for entry in self.entries if isinstance(entry, PresetEntry)]
        config = presets[0].train_settings().configs[0] if presets else None
        for bot in self.settings.evaluate_against:
            make_agent(bot, config)

    def train_settings(self) -> dict[str, Any]:
        """All settings of the runs of each preset, as plain data for JSON."""
        return plain_settings(
            {
                entry.name: entry.train_settings()
                for entry in self.entries
                if isinstance(entry, PresetEntry)
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        settings = asdict(self.settings)
        settings["evaluate_against"] = list(self.settings.evaluate_against)
        return {**settings, _ENTRIES: {entry.name: entry.to_dict() for entry in self.entries}}

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        """Reads what ``to_dict`` returned."""
        check_entries("an experiment", plain, [*options_of(ExperimentSettings), _ENTRIES])
        settings = {name: value for name, value in plain.items() if name != _ENTRIES}
        check_entries(_ENTRIES, plain[_ENTRIES], (), plain[_ENTRIES])
        entries = tuple(read_entry(name, each) for name, each in plain[_ENTRIES].items())
        return cls(entries, from_plain(ExperimentSettings, settings))

    def with_seeds(self, seeds: range) -> Self:
        """The same experiment with other seeds."""
        changed = replace(self.settings, seeds=len(seeds), first_seed=seeds.start)
        return replace(self, settings=changed)


def plain_settings(settings: Mapping[str, TrainSettings]) -> dict[str, Any]:
    """Settings by the names of entries, as a JSON file gives them back."""
    plain: dict[str, Any] = json.loads(
        json.dumps({name: each.to_dict() for name, each in settings.items()})
    )
    return plain


def folder_name(name: str) -> str:
    """The name of an entry as that of a folder, of which a policy file can be named as a bot."""
    return re.sub(r"[^\w.+-]+", "_", name).lstrip(".") or "_"


def _read_toml(source: str) -> dict[str, Any] | None:
    """A file with entries; None if it is a preset, which is read where it is needed."""
    path = Path(source)
    if path.suffix != ".toml" or not path.is_file():
        return None
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{source}: {error}") from None
    if _ENTRIES not in plain:
        return None
    check_entries(source, plain, [_ENTRIES], options_of(ExperimentSettings))
    return plain


def _entries_of(plain: Any) -> Iterator[Entry]:
    if not isinstance(plain, Mapping):
        raise ValueError(f"entries must be tables [entries.NAME], not {plain!r}")
    for name, each in plain.items():
        if not isinstance(each, Mapping):
            raise ValueError(f"entry {name!r} must be a table with a preset or a command")
        grid = grid_of_table(name, each.get(_SWEEP, {}))
        entry = {key: value for key, value in each.items() if key != _SWEEP}
        yield from _points(read_entry(name, entry), grid)


def _points(entry: Entry, grid: Grid) -> Iterable[Entry]:
    if not grid:
        return [entry]
    if isinstance(entry, CommandEntry):
        raise ValueError(
            f"entry {entry.name!r} is a command, and a sweep changes settings of presets: write an "
            "entry for each command"
        )
    return expand(entry, grid)


def _with_opponents(settings: ExperimentSettings, entries: Iterable[Entry]) -> ExperimentSettings:
    """With the bots that the presets are evaluated against, unless there are others."""
    if settings.evaluate_against:
        return settings
    presets = [entry for entry in entries if isinstance(entry, PresetEntry)]
    bots = [bot for entry in presets for bot in entry.train_settings().evaluate_against]
    if not bots:
        raise ValueError("evaluate_against is missing: the bots to evaluate the policies against")
    return replace(settings, evaluate_against=tuple(dict.fromkeys(bots)))
