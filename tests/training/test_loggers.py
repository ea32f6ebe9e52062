"""Loggers of a training: which are used, what they get, and what is refused before a run begins."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from mindup_arena.estimate import Estimate
from mindup_env import cli
from mindup_training import TrainSettings, resume, train
from mindup_training.loggers import LoggedRun
from mindup_training.loggers.csv_files import WIN_SHARE, CsvLog, read_csv_log
from mindup_training.loggers.protocol import (
    UnloggedFigures,
    check_loggers,
    find_logger,
    open_loggers,
)
from mindup_training.run_folder import RunPaths
from mindup_training.trainer.evaluation import draw_curve
from tests.training.runs import settings_of

OWN_LOGGER = """
import json

from mindup_training.loggers import FigureLogger

class Lines(FigureLogger):
    def __init__(self, run, name: str, every: int = 1):
        self.path, self.every = run.path / name, every
        self.write("begun", run.last_timesteps, run.settings.get("players"))

    def log(self, timesteps, figures):
        if timesteps % self.every == 0:
            self.write("logged", timesteps, sorted(figures))

    def close(self, *, finished):
        self.write("closed", finished)

    def write(self, *words):
        with self.path.open("a") as file:
            file.write(json.dumps(words) + "\\n")

class Broken(Lines):
    def close(self, *, finished):
        raise OSError("the logger is broken")

class Shares(Lines):
    def log_evaluation(self, timesteps, results):
        self.write(timesteps, results)
"""
SHARE = {"greedy": Estimate(0.5, 0.4, 0.6)}


@pytest.fixture(autouse=True)
def _own_logger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "mylogs.py").write_text(OWN_LOGGER)
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("mylogs", None)


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_run_and_its_resumption_give_their_metrics_to_the_chosen_loggers() -> None:
    settings = settings_of("sb3", loggers=["mylogs:Lines:log.txt,every=300"])
    run = train(settings, out="run", quiet=True).folder
    begun, *logged, closed = lines(run / "log.txt")
    assert begun == ["begun", None, [3]] and closed == ["closed", True]
    assert [(entry[1], entry[2][0]) for entry in logged] == [
        (0, "win_share/lowest"),
        (300, "games/return"),
        (300, "win_share/lowest"),
        (600, "games/return"),
        (600, "win_share/lowest"),
    ]
    assert not (run / "tensorboard").exists()
    assert len(read_csv_log(run / "metrics.csv")) == 4, "CSV files are always written"
    assert len(read_csv_log(run / "evaluations.csv")) >= 5
    (run / "checkpoints" / "000000000600.json").unlink()
    resume(run, quiet=True)
    begun, *again = lines(run / "log.txt")[len(logged) + 2 :]
    assert begun == ["begun", 450, [3]] and again == [*logged[3:], closed]


def test_a_command_overrides_the_loggers_and_is_kept(preset: str) -> None:
    words = ["--preset", preset, "--timesteps", "1", "--loggers"]
    assert cli.main(["train", *words, "mylogs:Lines:log.txt", "--out", "run"]) == 0
    described = json.loads(Path("run/run.json").read_text())
    assert Path("run/log.txt").exists() and not Path("run/tensorboard").exists()
    assert described["settings"]["loggers"] == ["mylogs:Lines:log.txt"]
    assert "--loggers mylogs:Lines:log.txt" in described["command"]


@pytest.mark.parametrize(
    ("specs", "said"),
    [
        (["tensorbord"], "unknown logger 'tensorbord'; did you mean tensorboard? available: csv,"),
        (["tensorboard:x=1"], "logger 'tensorboard' has no options, but was given 'x=1'"),
        (["mylogs:Lines"], "logger 'mylogs:Lines' needs name, as in mylogs:Lines:NAME"),
        (["mylogs:Nothing"], "module 'mylogs' has no class or function 'Nothing'"),
        (["./mylogs.py"], "named module:Class, such as mylogs:Printer, not './mylogs.py'"),
        (["mylogs:Lines:a", "mylogs:Lines:b"], "logger 'mylogs:Lines' must be given once"),
    ],
)
def test_a_wrong_logger_is_refused(specs: list[str], said: str) -> None:
    check_loggers(["csv", "tensorboard", "mylogs:Lines:a"])
    with pytest.raises(ValueError, match=re.escape(said)):
        check_loggers(specs)


@pytest.mark.parametrize("name", ["wandb", "mlflow"])
def test_a_missing_library_is_named_with_its_extra(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"mindup_training.loggers.{name}", raising=False)
    with pytest.raises(ValueError, match=rf"logger '{name}' .* pip install 'mindup-env\[{name}\]'"):
        check_loggers([name])


def test_every_logger_is_closed_also_after_an_interrupt(tmp_path: Path) -> None:
    run = LoggedRun(tmp_path)
    with (
        pytest.raises(OSError, match="the logger is broken"),
        open_loggers(["mylogs:Lines:a", "mylogs:Broken:b"], run),
    ):
        pass
    assert lines(tmp_path / "a")[-1] == ["closed", True]
    with pytest.raises(KeyboardInterrupt), open_loggers(["mylogs:Lines:c"], run):
        raise KeyboardInterrupt
    assert lines(tmp_path / "c")[-1] == ["closed", False]


def test_a_logger_gets_the_intervals_of_an_evaluation(tmp_path: Path) -> None:
    with open_loggers(["mylogs:Shares:a"], LoggedRun(tmp_path)) as loggers:
        for logger in loggers:
            logger.log_evaluation(7, SHARE)
    assert lines(tmp_path / "a")[1] == [7, {"greedy": [0.5, 0.4, 0.6]}]
    assert read_csv_log(tmp_path / "evaluations.csv")[0]["low"] == "0.4"


HEADER = "timesteps,games/return,loss\n"


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


def test_tensorboard_shows_what_a_resumed_run_repeats_once(tmp_path: Path) -> None:
    logger = find_logger("tensorboard").build(LoggedRun(tmp_path))
    for timesteps in (0, 100, 200):
        logger.log_rollout(timesteps, {"loss": timesteps / 100})
    logger.log_evaluation(100, SHARE)
    logger.close(finished=False)
    assert events(tmp_path / "tensorboard") == {
        "loss": [(0, 0.0), (100, 1.0), (200, 2.0)],
        "win_share/greedy": [(100, 0.5)],
    }
    again = find_logger("tensorboard").build(LoggedRun(tmp_path, last_timesteps=100))
    again.log_rollout(200, {"loss": 7.0})
    again.close(finished=True)
    assert events(tmp_path / "tensorboard")["loss"] == [(0, 0.0), (100, 1.0), (200, 7.0)]


def test_what_was_logged_is_left_out_by_name() -> None:
    unlogged = UnloggedFigures({"loss": 200})
    assert unlogged.pick(200, {"loss": 1.0, "win_share/greedy": 0.5}) == {"win_share/greedy": 0.5}
    assert unlogged.pick(200, {"loss": 1.0, "win_share/greedy": 0.5}) == {}
    assert unlogged.pick(300, {"loss": 2}) == {"loss": 2.0}
    assert unlogged.last == {"loss": 300, "win_share/greedy": 200}
    assert UnloggedFigures({}).pick(0, {"loss": 1.0}) == {"loss": 1.0}


@pytest.mark.parametrize("log_scale", [False, True])
def test_a_learning_curve_has_the_evaluations_and_the_win_share_in_training(
    tmp_path: Path, *, log_scale: bool
) -> None:
    paths = RunPaths(tmp_path)
    evaluations, rollouts = CsvLog(paths.evaluations), CsvLog(paths.metrics)
    for timesteps, value in ((0, 0.25), (20, 0.5), (40, 0.75)):
        for bot in ("random", "greedy", "greedy at 3 players"):
            share = Estimate(value, value - 0.1, value + 0.1)
            evaluations.add(timesteps, {"opponent": bot, **share._asdict()})
    if not log_scale:
        rollouts.add(10, {WIN_SHARE: 0.2})
        rollouts.add(20, {WIN_SHARE: 0.3})
    settings = TrainSettings(first_checkpoint=20 * log_scale)
    axes, *below = draw_curve(paths, settings).axes
    assert len(below) == (not log_scale), "metrics without it are not drawn"
    found, *training = (
        {str(line.get_label()): np.array(line.get_xydata()) for line in panel.get_lines()}
        for panel in (axes, *below)
    )
    assert [*found] == ["equal", "against random", "against greedy"]
    assert found["against greedy"].tolist() == [[0, 25], [20, 50], [40, 75]]
    assert found["equal"][0][1] == 25
    if not log_scale:
        assert training[0]["learner"].tolist() == [[10, 20], [20, 30]]
        assert axes.get_xscale() == "linear"
        return
    scale: Any = axes.xaxis.get_transform()
    assert axes.get_xscale() == "symlog" and axes.get_xlim()[0] == 0
    assert scale.linthresh == 20, "the first checkpoint"
