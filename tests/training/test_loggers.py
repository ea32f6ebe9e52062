"""Loggers of a training: which are used, what they get, and what is refused before a run begins."""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from mindup_arena.estimate import Estimate
from mindup_env import cli
from mindup_training.loggers import LoggedRun, check_loggers, make_logger
from mindup_training.loggers.csv_files import CsvLog, read_csv_log
from mindup_training.loggers.protocol import UnloggedFigures
from mindup_training.run_folder import RunPaths
from mindup_training.train.metrics import Metrics
from tests.training.runs import PRESET

OWN_LOGGER = """
import json

from mindup_training.loggers import FigureLogger

class Lines(FigureLogger):
    def __init__(self, run, name: str, every: int = 1):
        self.path, self.every = run.path / name, every
        self.write("begun", run.last_timesteps, run.settings["players"])

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
"""


@pytest.fixture(autouse=True)
def _own_logger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "mylogs.py").write_text(OWN_LOGGER)
    monkeypatch.chdir(tmp_path)
    yield
    sys.modules.pop("mylogs", None)


@pytest.fixture
def preset(tmp_path: Path) -> Path:
    path = tmp_path / "preset.toml"
    path.write_text('loggers = ["mylogs:Lines:log.txt,every=500"]' + PRESET)
    return path


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_run_and_its_resumption_give_their_metrics_to_the_chosen_loggers(preset: Path) -> None:
    assert cli.main(["train", "--preset", str(preset), "--out", "run"]) == 0
    log, run = Path("run/log.txt"), Path("run")
    begun, *logged, closed = lines(log)
    assert begun == ["begun", None, [3]] and closed == ["closed", True]
    assert [(entry[1], entry[2][0]) for entry in logged] == [
        (0, "win_share/lowest"),
        (500, "games/return"),
        (500, "win_share/lowest"),
        (1000, "games/return"),
        (1000, "win_share/lowest"),
    ]
    assert not (run / "tensorboard").exists()
    assert len(read_csv_log(run / "metrics.csv")) == 10, "CSV files are always written"
    assert len(read_csv_log(run / "evaluations.csv")) == 5
    (run / "checkpoints" / "000000001000.json").unlink()
    assert cli.main(["train", "--resume", "run"]) == 0
    (begun, *again) = lines(log)[len(logged) + 2 :]
    assert begun == ["begun", 800, [3]]
    assert again == [*logged[3:], closed]


def test_a_command_overrides_the_loggers_and_is_kept(preset: Path) -> None:
    words = ["--preset", str(preset), "--out", "run", "--timesteps", "1", "--loggers", "csv"]
    assert cli.main(["train", *words]) == 0
    assert not Path("run/log.txt").exists() and not Path("run/tensorboard").exists()
    described = json.loads(Path("run/run.json").read_text())
    assert described["settings"]["loggers"] == ["csv"] and "--loggers csv" in described["command"]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("tensorbord", "unknown logger 'tensorbord'; did you mean tensorboard? available: csv,"),
        ("tensorboard:x=1", "logger 'tensorboard' has no options, but was given 'x=1'"),
        ("mylogs:Lines", "logger 'mylogs:Lines' needs name, as in mylogs:Lines:NAME"),
        ("mylogs:Nothing", "module 'mylogs' has no class or function 'Nothing'"),
        ("./mylogs.py", "named module:Class, such as mylogs:Printer, not './mylogs.py'"),
    ],
)
def test_a_wrong_logger_is_refused(spec: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        check_loggers([spec])


def test_a_wrong_logger_is_refused_before_the_run(preset: Path) -> None:
    words = ["--preset", str(preset), "--out", "run", "--loggers", "nowhere:Log"]
    assert cli.main(["train", *words]) == 2
    assert not Path("run").exists()


def test_a_logger_is_used_once() -> None:
    check_loggers(["csv", "tensorboard", "mylogs:Lines:a"])
    with pytest.raises(ValueError, match="logger 'mylogs:Lines' must be given once"):
        check_loggers(["mylogs:Lines:a", "mylogs:Lines:b"])


@pytest.mark.parametrize(("name", "library"), [("wandb", "wandb"), ("mlflow", "mlflow")])
def test_a_missing_library_is_named_with_its_extra(
    name: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"mindup_training.loggers.{name}", raising=False)
    with pytest.raises(ValueError, match=rf"logger '{name}' .* pip install 'mindup-env\[{name}\]'"):
        check_loggers([name])


def metrics(tmp_path: Path, *loggers: str) -> Metrics:
    return Metrics(RunPaths(tmp_path), loggers=loggers, settings={"players": 4})


def test_every_logger_is_closed_also_after_an_interrupt(tmp_path: Path) -> None:
    with (
        pytest.raises(OSError, match="the logger is broken"),
        metrics(tmp_path, "mylogs:Lines:a", "mylogs:Broken:b"),
    ):
        pass
    assert lines(tmp_path / "a")[-1] == ["closed", True]
    with pytest.raises(KeyboardInterrupt), metrics(tmp_path, "mylogs:Lines:c"):
        raise KeyboardInterrupt
    assert lines(tmp_path / "c")[-1] == ["closed", False]


def test_a_logger_gets_the_intervals_of_an_evaluation(tmp_path: Path) -> None:
    results: dict[str, Mapping[str, Estimate]] = {}

    class Own:
        def __init__(self, run: LoggedRun) -> None:
            self.run = run

        def log_rollout(self, timesteps: int, figures: Mapping[str, float]) -> None: ...

        def log_evaluation(self, timesteps: int, given: Mapping[str, Estimate]) -> None:
            results[str(timesteps)] = given

        def close(self, *, finished: bool) -> None: ...

    sys.modules["mylogs"] = type(sys)("mylogs")
    vars(sys.modules["mylogs"])["Own"] = Own
    share = {"greedy": Estimate(0.5, 0.4, 0.6)}
    with metrics(tmp_path, "mylogs:Own") as recorded:
        recorded.add_evaluation(7, share)
    assert results == {"7": share}
    assert read_csv_log(tmp_path / "evaluations.csv")[0]["low"] == "0.4"
    assert type(make_logger("mylogs:Own", LoggedRun(tmp_path))) is Own


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
    logger = make_logger("tensorboard", LoggedRun(tmp_path))
    for timesteps in (0, 100, 200):
        logger.log_rollout(timesteps, {"loss": timesteps / 100})
    logger.log_evaluation(100, {"greedy": Estimate(0.5, 0.4, 0.6)})
    logger.close(finished=False)
    assert events(tmp_path / "tensorboard") == {
        "loss": [(0, 0.0), (100, 1.0), (200, 2.0)],
        "win_share/greedy": [(100, 0.5)],
    }
    again = make_logger("tensorboard", LoggedRun(tmp_path, last_timesteps=100))
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
