"""The figures of a run: CSV files, TensorBoard and the learning curve."""

from pathlib import Path

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from mindup_arena.estimate import Estimate
from mindup_training import TrainSettings
from mindup_training.run_folder import RunFolder
from mindup_training.trainer.evaluation import draw_curve
from mindup_training.trainer.log import WIN_SHARE, CsvLog, RunLog, read_csv_log

SHARE = {"greedy": Estimate(0.5, 0.4, 0.6)}
HEADER = "timesteps,games/return,loss\n"


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path, "train", TrainSettings())


def test_a_part_of_a_row_and_the_rows_after_a_checkpoint_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text(f"{HEADER}100,0.5,1\n200,0.25,2\n300,0.125,4\n400,0.06")
    assert [(row["timesteps"], row["loss"]) for row in read_csv_log(path)] == [
        ("100", "1"), ("200", "2"), ("300", "4")
    ]  # fmt: skip
    CsvLog(path, 200).add(300, {"games/return": 0.125, "loss": 5})
    assert path.read_text() == HEADER + "100,0.5,1\n200,0.25,2\n300,0.125,5\n"
    for left in ("", HEADER[:-1], HEADER + "1"):
        path.write_text(left)
        assert read_csv_log(path) == []
        CsvLog(path, 100).add(100, {"games/return": 0.5, "loss": 2})
        assert path.read_text() == HEADER + "100,0.5,2\n"


def events(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """The figures that TensorBoard shows, with their timesteps."""
    found = EventAccumulator(str(folder)).Reload()
    return {
        name: [(event.step, event.value) for event in found.Scalars(name)]
        for name in found.Tags()["scalars"]
    }


def test_a_resumed_run_has_what_it_repeats_once(folder: RunFolder) -> None:
    log = RunLog(folder, None)
    for timesteps in (0, 100, 200):
        log.add_rollout(timesteps, {"loss": timesteps / 100})
    log.add_evaluation(100, SHARE)
    log.close()
    assert events(folder.tensorboard) == {
        "loss": [(0, 0.0), (100, 1.0), (200, 2.0)],
        "win_share/greedy": [(100, 0.5)],
    }
    assert read_csv_log(folder.evaluations)[0]["low"] == "0.4"
    again = RunLog(folder, last_timesteps=100)
    again.add_rollout(200, {"loss": 7.0})
    again.close()
    assert events(folder.tensorboard)["loss"] == [(0, 0.0), (100, 1.0), (200, 7.0)]
    assert [row["loss"] for row in read_csv_log(folder.metrics)] == ["0", "1", "7"]


@pytest.mark.parametrize("has_win_share", [False, True])
def test_a_learning_curve_has_the_evaluations_and_the_win_share_in_training(
    folder: RunFolder, *, has_win_share: bool
) -> None:
    evaluations, rollouts = CsvLog(folder.evaluations), CsvLog(folder.metrics)
    for timesteps, value in ((0, 0.25), (20, 0.5), (40, 0.75)):
        for bot in ("random", "greedy"):
            share = Estimate(value, value - 0.1, value + 0.1)
            evaluations.add(timesteps, {"opponent": bot, **share._asdict()})
    if has_win_share:
        rollouts.add(10, {WIN_SHARE: 0.2})
        rollouts.add(20, {WIN_SHARE: 0.3})
    axes, *below = draw_curve(folder).axes
    assert len(below) == has_win_share
    found, *training = (
        {str(line.get_label()): np.array(line.get_xydata()) for line in panel.get_lines()}
        for panel in (axes, *below)
    )
    assert [*found] == ["equal", "against random", "against greedy"]
    assert found["against greedy"].tolist() == [[0, 25], [20, 50], [40, 75]]
    assert found["equal"][0][1] == 25
    if has_win_share:
        assert training[0]["learner"].tolist() == [[10, 20], [20, 30]]
