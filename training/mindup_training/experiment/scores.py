"""The scores of runs as arrays: final win shares, and win shares during the training."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mindup_arena.estimate import Floats
from mindup_training.experiment.folder import ExperimentRun, RunRecord
from mindup_training.loggers.csv_files import OPPONENT, TIMESTEPS, read_csv_log


class ScoreCurves(NamedTuple):
    """Win shares against one bot during the trainings of an entry.

    Attributes:
        timesteps: Decisions learned from (points,).
        scores: Win shares, from 0 to 1 (runs, points).
    """

    timesteps: Floats  # (points,)
    scores: Floats  # (runs, points)


def final_scores(records: Sequence[RunRecord], bots: Sequence[str]) -> Floats:
    """The win shares (runs, bots) of the final policies, from 0 to 1."""
    try:
        return np.array([[record.win_shares[bot] for bot in bots] for record in records])
    except KeyError as error:
        raise ValueError(f"a record lacks the win share against {error}") from None


def read_curves(runs: Sequence[ExperimentRun], bot: str) -> ScoreCurves | None:
    """The evaluations of runs against a bot; None if a run has none.

    Runs of equal length are evaluated at the same timesteps. Others, such as those limited by
    minutes, are interpolated at all timesteps that lie within every run.
    """
    found = [_evaluations(run, bot) for run in runs]
    if not all(len(each) for each in found):
        return None
    first = max(each[0, 0] for each in found)
    last = min(each[-1, 0] for each in found)
    every = np.unique(np.concatenate([each[:, 0] for each in found]))
    timesteps = every[(every >= first) & (every <= last)]
    if not timesteps.size:
        return None
    scores = [np.interp(timesteps, each[:, 0], each[:, 1]) for each in found]
    return ScoreCurves(timesteps, np.array(scores))


def _evaluations(run: ExperimentRun, bot: str) -> Floats:
    """Timesteps and win shares (points, 2)."""
    rows = read_csv_log(run.paths.evaluations)
    points = [(int(row[TIMESTEPS]), float(row["value"])) for row in rows if row[OPPONENT] == bot]
    return np.array(points, np.float64).reshape(-1, 2)
