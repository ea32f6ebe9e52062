"""Loggers of a training: which are used, what they get, and what is refused before a run begins."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from mindup_arena.estimate import Estimate
from mindup_env import cli
from mindup_training.loggers import LoggedRun, check_loggers, make_logger
from mindup_training.loggers.csv_files import read_csv_log
from mindup_training.loggers.unlogged import UnloggedFigures
from mindup_training.run_folder import RunPaths
from mindup_training.train.metrics import Metrics
from tests.training.test_resume import PRESET

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
    assert begun == ["begun", None, 3] and closed == ["closed", True]
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
    assert begun == ["begun", 800, 3]
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
        (
            "mylogs:Lines:a,every=x",
            "option 'every' of logger 'mylogs:Lines' must be a whole number",
        ),
        ("mylogs:Nothing", "module 'mylogs' has no class or function 'Nothing'"),
        ("nowhere:Log", "logger nowhere:Log cannot be imported: No module named 'nowhere'"),
        (
            "./mylogs.py",
            "named module:Class, such as mylogs:Printer, not './mylogs.py'",
        ),
    ],
)
def test_a_wrong_logger_is_refused_before_the_run(
    spec: str, said: str, preset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["train", "--preset", str(preset), "--out", "run", "--loggers", spec]
    assert cli.main(command) == 2
    assert said in capsys.readouterr().err
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


def test_what_was_logged_is_left_out_by_name() -> None:
    unlogged = UnloggedFigures({"loss": 200})
    assert unlogged.pick(200, {"loss": 1.0, "win_share/greedy": 0.5}) == {"win_share/greedy": 0.5}
    assert unlogged.pick(200, {"loss": 1.0, "win_share/greedy": 0.5}) == {}
    assert unlogged.pick(300, {"loss": 2}) == {"loss": 2.0}
    assert unlogged.last == {"loss": 300, "win_share/greedy": 200}
    assert UnloggedFigures({}).pick(0, {"loss": 1.0}) == {"loss": 1.0}
