"""The result of a training run, read from its folder."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.policy import Policy, load_policy
from mindup_training.loggers.csv_files import OPPONENT, TIMESTEPS, read_csv_log
from mindup_training.run_folder import RunFolder
from mindup_training.settings import RunSettings

Table = dict[str, npt.NDArray[Any]]
"""Columns by name, all of the same length; ``pandas.DataFrame(table)`` takes it as it is."""


class TrainingResult:
    """The result of a training run.

    Args:
        folder: the folder of the run.

    Attributes:
        folder (Path): the folder of the run.
        settings (RunSettings): the settings of the run.
        bot (str): the bot that plays the policy, as ``make_agent`` takes it.
    """

    def __init__(self, folder: Path | str) -> None:
        run = RunFolder.open(Path(folder))
        self.folder: Path = run.path
        self.settings: RunSettings = run.settings
        self.bot: str = run.policy_spec
        self._run = run

    def __repr__(self) -> str:
        return f"<TrainingResult in {self.folder}>"

    @cached_property
    def policy(self) -> Policy:
        """The policy of the last checkpoint."""
        return load_policy(self._run.policy)

    @cached_property
    def metrics(self) -> Table:
        """The metrics of each rollout."""
        return _read_table(self._run.metrics)

    @cached_property
    def evaluations(self) -> Table:
        """At each checkpoint, the win share against each opponent with its interval."""
        return _read_table(self._run.evaluations)


def _read_table(path: Path) -> Table:
    rows = read_csv_log(path)
    readers: dict[str, Callable[[str], Any]] = {OPPONENT: str, TIMESTEPS: int}
    return {
        name: np.array([readers.get(name, float)(row[name]) for row in rows])
        for name in (rows[0] if rows else ())
    }
