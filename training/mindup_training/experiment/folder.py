"""The folder of an experiment: its runs, and how each of them ended.

A run is the folder ``runs/ENTRY/seed-N``. Beside it are its log and, when its training has ended,
its record: the exit status, and how the final policy was evaluated.
"""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from mindup_arena.report import FORFEITED
from mindup_env.config import GameConfig
from mindup_env.runs.files import write_plain
from mindup_env.runs.run_folder import RunFolder
from mindup_training.experiment.plan import Entry, Experiment, folder_name
from mindup_training.run_folder import RunPaths

KIND = "experiment"


class RunRecord(NamedTuple):
    """How a run ended; it has no win shares and no players before the evaluation.

    With several numbers of players, there are also win shares at each of them, see ``at_players``.
    """

    status: int  # the exit status of its training
    command: str  # that repeats it
    win_shares: Mapping[str, float] = {}  # of the final policy against each bot, from 0 to 1
    players: tuple[int, ...] = ()  # the numbers of players that the bot plays with
    cpu_seconds: float | None = None  # None if it failed, or was interrupted and resumed

    @property
    def is_trained(self) -> bool:
        """Whether the training ended with a policy; in its ranking a bot may forfeit games."""
        return self.status in (0, FORFEITED)


class ExperimentRun(NamedTuple):
    """A run of an experiment: its entry and seed, its place in a folder, and the games of bots."""

    entry: Entry
    seed: int
    path: Path
    games: tuple[GameConfig, ...]

    def __str__(self) -> str:
        return f"{self.entry.name}, seed {self.seed}"

    @property
    def command(self) -> str:
        """The command that repeats it, for people."""
        return shlex.join(self.entry.words(self.seed, self.path))

    @property
    def paths(self) -> RunPaths:
        """The files of its results."""
        return RunPaths(self.path)

    @property
    def log(self) -> Path:
        """What it printed."""
        return self.path.with_name(f"{self.path.name}.log")

    @property
    def _record(self) -> Path:
        return self.path.with_name(f"{self.path.name}.json")

    def write_record(self, record: RunRecord) -> None:
        write_plain(self._record, record._asdict())

    def read_record(self) -> RunRecord | None:
        """None if the training has not ended."""
        if not self._record.exists():
            return None
        plain = json.loads(self._record.read_text(encoding="utf-8"))
        return RunRecord(**{**plain, "players": tuple(plain["players"])})

    def result(self) -> RunRecord | None:
        """The record of a run whose policy was evaluated; None of any other."""
        record = self.read_record()
        return record if record and record.is_trained and record.win_shares else None


class ExperimentFolder(RunFolder[Experiment]):
    """A folder with an experiment, which are its ``settings``."""

    def runs(self) -> list[ExperimentRun]:
        """All runs, those with the same seed together: a report is possible early."""
        entries, seeds = self.settings.entries, self.settings.settings.all_seeds
        games = self.settings.games
        folder = self.path / "runs"
        return [
            ExperimentRun(entry, seed, folder / folder_name(entry.name) / f"seed-{seed}", games)
            for seed in seeds
            for entry in entries
        ]


def read_folder(path: Path) -> ExperimentFolder:
    """The experiment that a folder has."""
    return ExperimentFolder.read(path, KIND, Experiment)
