"""The folder of an experiment: what it compares, its runs, and its report.

A run is the folder ``runs/ENTRY/seed-N``. Beside it are its log and, when it has ended, its record:
the exit status and how the final policy was evaluated.
"""

import json
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from mindup_arena.report import FORFEITED
from mindup_env.runs.files import remove_leftovers, write_text
from mindup_env.runs.folder_lock import lock_folder
from mindup_env.runs.run_folder import check_unused
from mindup_env.settings.checks import check_entries, check_int
from mindup_training.experiment.entry import Entry
from mindup_training.experiment.plan import Experiment, folder_name, plain_settings
from mindup_training.run_folder import RunPaths
from mindup_training.settings import TrainSettings

DONE = (0, FORFEITED)
"""The exit statuses of a run that ended: in the final ranking a bot may have forfeited games."""
_PLAN = "experiment.json"
_COMMAND, _TRAIN_SETTINGS = "command", "train_settings"


class RunRecord(NamedTuple):
    """How a run ended.

    Attributes:
        status: the exit status of its command.
        command: the command that repeats it.
        win_shares: of the final policy against each bot, from 0 to 1; empty if the run failed.
        players: the numbers of players that the policy plays with; none if the run failed. With
            several, there are also win shares at each of them, see ``at_players``.
        cpu_seconds: CPU time of the training; None if the run failed, or was interrupted and
            resumed.
    """

    status: int
    command: str
    win_shares: Mapping[str, float]
    players: tuple[int, ...]
    cpu_seconds: float | None = None

    @property
    def is_done(self) -> bool:
        """Whether the run ended with a policy, which was evaluated."""
        return self.status in DONE


class ExperimentRun(NamedTuple):
    """A run of an experiment: its entry and seed, and its place in a folder."""

    entry: Entry
    seed: int
    path: Path

    def __str__(self) -> str:
        return f"{self.entry.name}, seed {self.seed}"

    @property
    def words(self) -> list[str]:
        """The words of its command."""
        return self.entry.words(self.seed, self.path)

    def record(
        self,
        status: int,
        win_shares: Mapping[str, float] | None = None,
        players: tuple[int, ...] = (),
        cpu_seconds: float | None = None,
    ) -> None:
        """Writes how the run ended."""
        command = shlex.join(self.words)
        record = RunRecord(status, command, win_shares or {}, players, cpu_seconds)
        write_text(self._record, json.dumps(record._asdict(), indent=2) + "\n")

    @property
    def paths(self) -> RunPaths:
        return RunPaths(self.path)

    @property
    def log(self) -> Path:
        """What it printed."""
        return self.path.with_name(f"{self.path.name}.log")

    @property
    def _record(self) -> Path:
        return self.path.with_name(f"{self.path.name}.json")

    def read_record(self) -> RunRecord | None:
        """None if the run has not ended."""
        try:
            plain = json.loads(self._record.read_text(encoding="utf-8"))
            optional = RunRecord._field_defaults
            check_entries("a record", plain, RunRecord._fields[: -len(optional)], optional)
            check_int("status", plain["status"])
            shares = {str(bot): float(share) for bot, share in plain["win_shares"].items()}
            numbers = plain["players"]
            if isinstance(numbers, int):  # in the first records; 0 if the run failed
                numbers = [numbers] if numbers else []
            players = tuple(check_int("players", number) for number in numbers)
            seconds = plain.get("cpu_seconds")
            return RunRecord(
                plain["status"],
                str(plain["command"]),
                shares,
                players,
                None if seconds is None else float(seconds),
            )
        except FileNotFoundError:
            return None
        except (AttributeError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(f"{self._record} is not the record of a run: {error}") from None


class ExperimentFolder:
    """A folder with an experiment.

    Attributes:
        path: the folder.
        experiment: what it compares.
        command: the command that repeats it.
        train_settings: all settings of the runs of each preset: a preset may change later.
    """

    def __init__(
        self, path: Path, experiment: Experiment, command: str, train_settings: Mapping[str, Any]
    ) -> None:
        self.path, self.experiment, self.command = path, experiment, command
        self.train_settings = train_settings

    @classmethod
    def read(cls, path: Path) -> Self:
        """The experiment that a folder has.

        Raises:
            ValueError: it has none, or its description is damaged.
        """
        try:
            plain = json.loads((path / _PLAN).read_text(encoding="utf-8"))
            check_entries("an experiment", plain, [_COMMAND, _TRAIN_SETTINGS], plain)
            command = str(plain.pop(_COMMAND))
            # An earlier version may have written them without settings that are new.
            train_settings = plain_settings(
                {
                    name: TrainSettings.from_dict(each)
                    for name, each in plain.pop(_TRAIN_SETTINGS).items()
                }
            )
            return cls(path, Experiment.from_dict(plain), command, train_settings)
        except (FileNotFoundError, NotADirectoryError):
            raise ValueError(f"no experiment in {path}: it has no {_PLAN}") from None
        except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
            raise ValueError(f"{path / _PLAN} does not describe an experiment: {error}") from None

    @staticmethod
    def is_in(path: Path) -> bool:
        """Whether a folder has an experiment."""
        return (path / _PLAN).exists()

    def differs_from(self, other: Self) -> bool:
        """Whether they differ in more than their seeds."""
        seeds = self.experiment.settings.all_seeds
        return (
            other.experiment.with_seeds(seeds) != self.experiment
            or other.train_settings != self.train_settings
        )

    def write(self) -> None:
        plain = {_COMMAND: self.command, **self.experiment.to_dict()}
        plain[_TRAIN_SETTINGS] = self.train_settings
        write_text(self.path / _PLAN, json.dumps(plain, indent=2) + "\n")

    def runs(self) -> list[ExperimentRun]:
        """All runs, those with the same seed together: a report is possible early."""
        return [
            ExperimentRun(
                entry, seed, self.path / "runs" / folder_name(entry.name) / f"seed-{seed}"
            )
            for seed in self.experiment.settings.all_seeds
            for entry in self.experiment.entries
        ]


@contextmanager
def open_folder(path: Path, experiment: Experiment, command: str) -> Iterator[ExperimentFolder]:
    """The folder of a new experiment, or of one to continue; no other process writes to it.

    The number of seeds may differ from that of the experiment in it.

    Raises:
        ValueError: the folder has another experiment, or other files.
    """
    if not ExperimentFolder.is_in(path):
        check_unused(path)
    with lock_folder(path):
        remove_leftovers(path)
        folder = ExperimentFolder(path, experiment, command, experiment.train_settings())
        if ExperimentFolder.is_in(path) and folder.differs_from(ExperimentFolder.read(path)):
            raise ValueError(
                f"{path} has an experiment with other entries or settings, in {_PLAN}: choose "
                "another folder with --out"
            )
        remove_leftovers(path / "data")
        for run in folder.runs():
            remove_leftovers(run.path.parent)
        folder.write()
        yield folder
