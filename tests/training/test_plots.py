"""The picture of a learning curve."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_arena.estimate import Estimate
from mindup_training.loggers.csv_files import CsvLog
from mindup_training.run_folder import RunPaths
from mindup_training.train.curve import make_figure
from mindup_training.train.metrics import WIN_SHARE


@pytest.fixture
def paths(tmp_path: Path) -> RunPaths:
    paths = RunPaths(tmp_path)
    evaluations = CsvLog(paths.evaluations)
    for timesteps, value in ((0, 0.25), (20, 0.5), (40, 0.75)):
        for bot in ("random", "greedy", "greedy at 3 players"):
            share = Estimate(value, value - 0.1, value + 0.1)
            evaluations.add(timesteps, {"opponent": bot, **share._asdict()})
    return paths


def test_a_learning_curve_has_the_evaluations_and_the_win_share_in_training(
    paths: RunPaths,
) -> None:
    rollouts = CsvLog(paths.metrics)
    rollouts.add(10, {WIN_SHARE: 0.2})
    rollouts.add(20, {WIN_SHARE: 0.3})
    (axes,) = make_figure(paths, 1 / 4, log_scale=False).axes
    lines = {
        str(line.get_label()): np.asarray(line.get_xydata()).tolist() for line in axes.get_lines()
    }
    assert list(lines) == [
        "equal",
        "against random",
        "against greedy",
        "in training, cards sampled",
    ]
    assert lines["against greedy"] == [[0, 25], [20, 50], [40, 75]]
    assert lines["in training, cards sampled"] == [[10, 20], [20, 30]]
    assert lines["equal"][0][1] == 25 and axes.get_xscale() == "linear"


def test_a_logarithmic_axis_begins_at_the_start_of_the_training(paths: RunPaths) -> None:
    (axes,) = make_figure(paths, 1 / 4, log_scale=True).axes
    assert axes.get_xscale() == "symlog" and axes.get_xlim()[0] == 0
    scale: Any = axes.xaxis.get_transform()
    assert scale.linthresh == 20, "the first checkpoint"
    assert len(axes.get_lines()) == 3, "metrics without the win share are not drawn"
