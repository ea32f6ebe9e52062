"""Experiments that run, fail, are killed and continue."""

import json
import multiprocessing
import os
import shlex
import sys
import time
import warnings
from contextlib import ExitStack
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from mindup_env import cli
from mindup_env.runs.files import LOCK_NAME, lock_folder
from mindup_env.runs.run_folder import RUN
from mindup_training import launch
from mindup_training.experiment import Experiment, run, run_process
from mindup_training.experiment.folder import (
    KIND,
    ExperimentFolder,
    ExperimentRun,
    read_folder,
)
from mindup_training.run_folder import RunPaths
from tests.pages import OF_EXPERIMENTS, blocks
from tests.training.experiment.conftest import CONTEXT, in_processes
from tests.training.experiment.experiments import (
    WORDS,
    experiment,
    pretend_to_learn,
    report_files,
    report_on,
    write_comparison,
)
from tools import ROOT

SETTINGS = "seeds = 2\nevaluate_against = ['lowest', 'random']\nevaluation_deals = 2\n"
PAGE = ROOT / "docs" / "experiments.md"


def resume(*words: str) -> int:
    return experiment("--resume", "out", *words)


def pretend_anew(each: ExperimentRun, **_: Any) -> int:
    """A training that no longer fails."""
    pretend_to_learn(each.path, seed=each.seed)
    return 0


def write_entries(folder: Path, *names: str) -> None:
    entries = (f"entries.{name}.preset = 'tiny.toml'\n" for name in names)
    (folder / "comparison.toml").write_text(SETTINGS + "".join(entries))


def test_each_run_is_a_run_folder_of_its_command(
    copied: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A finished experiment runs nothing more."""
    runs = read_folder(Path("out")).runs()
    assert len(runs) == 4
    for each in runs:
        assert each.paths.policy.exists() and each.paths.evaluations.exists()
        record = each.result()
        assert record and record.command == each.command and record.players == (3,)
        assert record.command in each.log.read_text()
        assert record.cpu_seconds and 0.1 < record.cpu_seconds < 1000
    before = report_files(copied / "out")
    assert len(before) == 8
    words = shlex.split(runs[0].command)
    assert cli.main([*words[1:-1], "again"]) == 0
    again = RunPaths(Path("again")).evaluations
    assert again.read_bytes() == runs[0].paths.evaluations.read_bytes()
    monkeypatch.setattr(run, "run_in_processes", None)
    assert resume() == 0
    assert "4 runs, 0 to do; logs: out/runs/*/*.log" in capsys.readouterr().out
    assert report_files(copied / "out") == before
    assert experiment(*WORDS) == 2
    assert "resume it with --resume out" in capsys.readouterr().err


def start_in(folder: Path, words: list[str]) -> None:
    """The command, in a process of its own; its runs have the libraries that it has loaded."""
    os.chdir(folder)
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        patched: Any = run
        patched.spawning = multiprocessing.get_context("fork")
        ranking: Any = launch  # an arena, which has tests of its own
        ranking.rank_policy = lambda _: 0
        os._exit(experiment(*words))


def test_a_killed_experiment_ends_with_the_report_of_one_that_was_not(
    comparison: Path, tmp_path: Path
) -> None:
    """It is killed in the middle of a run; its runs end with it, and resume."""
    write_comparison(tmp_path)
    process = CONTEXT.Process(target=start_in, args=(tmp_path, WORDS))
    process.start()
    while not list(tmp_path.glob("out/runs/*/*/run.json")):
        assert process.is_alive()
        time.sleep(0.001)
    process.kill()
    process.join()
    process = CONTEXT.Process(target=start_in, args=(tmp_path, ["--resume", "out"]))
    process.start()
    process.join()
    assert process.exitcode == 0
    logs = [log.read_text() for log in tmp_path.glob("out/runs/*/*.log")]
    assert any("resumes sb3" in log for log in logs)
    assert report_files(tmp_path / "out") == report_files(comparison / "out")
    assert not [path for path in (tmp_path / "out").rglob(".*") if path.is_file()], "leftovers"


def test_a_run_that_fails_is_reported_and_tried_again(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_entries(here, "failing", "other")
    assert experiment(*WORDS) == 1
    said = capsys.readouterr().out
    log = "out/runs/failing/seed-1.log"
    assert f"failing, seed 1: failed with exit status 1; the end of {log}" in said
    assert "  ZeroDivisionError: out of luck\n" in said
    report = json.loads((here / "out" / "report.json").read_text())
    found = [(each["name"], each["seeds"]) for each in report["entries"]]
    assert found == [("failing", [0]), ("other", [0, 1])]
    assert report["unfinished"] == [{"entry": "failing", "seed": 1, "log": log}]
    assert "Not ended: failing, seed 1" in (here / "out" / "report.md").read_text()
    monkeypatch.setattr(run_process, "train", pretend_anew)
    assert resume() == 0
    assert "4 runs, 1 to do; logs: out/runs/*/*.log" in capsys.readouterr().out
    assert json.loads((here / "out" / "report.json").read_text())["unfinished"] == []


def test_a_training_that_ended_is_kept_if_its_evaluation_fails(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    write_entries(here, "one")
    with monkeypatch.context() as patch:
        patch.setattr(run_process, "evaluate_bot", fail)
        assert experiment(*WORDS) == 2
    assert "no run has ended in out: there is nothing to report" in capsys.readouterr().err
    monkeypatch.setattr(run_process, "train", fail)
    assert resume() == 0


def test_running_processes_end_with_the_command(here: Path) -> None:
    killed = "import os; os.kill(os.getpid(), 9)"
    sleeping = "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(600)"
    text = SETTINGS
    for name, code in (("killed", killed), ("sleeping", sleeping)):
        (here / f"{name}.py").write_text(code)
        text += f"entries.{name}.command = 'python {name}.py {{seed}} {{out}}'\n"
    (here / "comparison.toml").write_text(text)
    plan = Experiment.read(["comparison.toml"], {}, {"seeds": 1})
    runs = ExperimentFolder(here / "out", KIND, plan).runs()
    ending = in_processes(runs, plan.settings, workers=2)
    assert next(ending) == (runs[0], -9)
    while not ((here / "pid").exists() and (here / "pid").read_text()):
        time.sleep(0.01)
    pids = [str(child.pid) for child in multiprocessing.active_children()]
    assert (here / "pid").read_text() in pids
    ending.close()
    assert not multiprocessing.active_children()


def test_a_run_is_resumed_when_its_killed_process_has_ended_or_starts_again(tmp_path: Path) -> None:
    path = tmp_path / "seed-3"
    assert not run_process.can_be_resumed(path)
    path.mkdir()
    (path / "policy.safetensors").touch()
    assert not run_process.can_be_resumed(path)
    assert not path.exists()
    with ExitStack() as killed:
        killed.enter_context(lock_folder(path))
        (path / RUN).touch()
        Timer(0.3, killed.pop_all().close).start()
        assert run_process.can_be_resumed(path)
    assert not (path / LOCK_NAME).exists()


def test_an_experiment_can_have_more_seeds_later_and_no_other_settings(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_entries(here, "one")
    assert experiment(*WORDS, "--seeds", "1") == 0
    assert resume("--seeds", "2") == 0
    assert "2 runs, 1 to do; logs: out/runs/*/*.log" in capsys.readouterr().out
    assert " && mindup experiment run --resume out --seeds 2" in read_folder(here / "out").command
    assert resume("--evaluation-deals", "3") == 2
    assert "not --evaluation-deals" in capsys.readouterr().err
    kept = read_folder(here / "out")
    write_entries(here, "one", "another")
    other = Experiment.read(["comparison.toml"], {}, {})
    with pytest.raises(
        ValueError, match="out has a run of mindup experiment run with other settings"
    ):
        run.run_experiment(other, here / "out")
    with lock_folder(here / "out"):
        assert resume() == 2
    assert "out is in use by process" in capsys.readouterr().err
    assert kept.settings == read_folder(here / "out").settings


def test_machines_with_other_seeds_are_merged(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_entries(here, "one")
    words = ["comparison.toml", "--seeds", "2"]
    assert experiment(*words, "--out", "a") == 0
    assert experiment(*words, "--out", "b", "--first-seed", "2") == 0
    assert experiment(*words[:-1], "4", "--out", "whole") == 0
    assert report_on("a", "b", "--out", "both") == 0
    both, whole = (
        json.loads((here / name / "report.json").read_text()) for name in ("both", "whole")
    )
    assert both["entries"][0]["seeds"] == [0, 1, 2, 3]
    assert both["entries"][0]["iqm"] == whole["entries"][0]["iqm"]
    assert len(both["commands"]) == 2
    assert report_on("b", "a", "--out", "both") == 0, "it may be written again"
    capsys.readouterr()
    assert experiment(*words, "--evaluation-deals", "3", "--out", "d") == 0
    for folders, said in (
        (["a", "b"], "the report of several folders needs a folder of its own: add --out"),
        (["a", "whole", "--out", "c"], "a/runs/one/seed-0 and whole/runs/one/seed-0 are the same"),
        (["a", "--out", "b"], "b has a run already"),
        (["a", "d", "--out", "c"], "a and d cannot be merged"),
    ):
        assert report_on(*folders) == 2
        assert said in capsys.readouterr().err


def test_the_commands_of_the_page_work(here: Path) -> None:
    (text,) = [text for language, text in blocks(PAGE) if language == "toml"]
    (here / "comparison.toml").write_text(text)
    plan = Experiment.read(["comparison.toml"], {}, {})
    plan.check()
    rates = [f"wide,learning_rate={rate}" for rate in (0.0005, 0.001)]
    assert plan.names == ["quick", *rates, "self_play"]
    short = text.replace('["random", "greedy", "planner"]', '["random"]\nevaluation_deals = 2')
    assert short != text
    (here / "comparison.toml").write_text(short.replace('"quick"', '"tiny.toml"'))
    assert experiment("comparison.toml", "--seeds", "1", "--out", "runs/machine-1") == 0
    for command, more in OF_EXPERIMENTS.items():
        program, *words = shlex.split(f"{command} {more}")
        assert program == "mindup" and cli.main(words) == 0
    assert (here / "runs" / "both" / "report.md").exists()


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["mindup", "train", "--nonsense"], 2),
        (["python", "-m", "json.tool", "--help"], 0),
        (["python", "script.py", "out of luck"], 1),
        (["python", "script.py", "7"], 7),
    ],
)
def test_a_command_has_the_status_of_a_process(
    words: list[str], status: int, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "beside.py").write_text("def read(text): return int(text) if text.isdigit() else text")
    (here / "script.py").write_text("import sys, beside\nsys.exit(beside.read(sys.argv[1]))")
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert run_process.call(words) == status
