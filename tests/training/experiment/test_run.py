"""Experiments that run, fail, are killed and continue."""

import json
import multiprocessing
import os
import shlex
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_env import cli
from mindup_env.runs.folder_lock import LOCK_NAME, lock_folder
from mindup_training.experiment import execution, run
from mindup_training.experiment.execution import run_in_processes
from mindup_training.experiment.folder import ExperimentFolder, open_folder
from mindup_training.experiment.plan import Experiment
from mindup_training.run_folder import RunPaths
from tests.training.experiment.conftest import CONTEXT
from tests.training.experiment.experiments import (
    PRESET,
    WORDS,
    experiment,
    report_files,
    write_comparison,
    write_learner,
)

SETTINGS = "seeds = 2\nevaluate_against = ['lowest', 'random']\nevaluation_deals = 2\n"
FILES = [
    "curves.png",
    "data/sb3_learning_rate_0.001.csv",
    "data/sb3_learning_rate_0.01.csv",
    "data/self_play.csv",
    "marl_eval.json",
    "report.json",
    "report.md",
    "scores.csv",
    "scores.png",
]
KILLS = 3


def test_each_run_is_a_run_folder_of_its_command(copied: Path) -> None:
    assert sorted(report_files(copied / "out")) == FILES
    runs = ExperimentFolder.read(Path("out")).runs()
    assert len(runs) == 6
    for each in runs:
        assert each.paths.policy.exists() and each.paths.evaluations.exists()
        assert f"$ {shlex.join(each.words)}\n" in each.log.read_text()
        record = each.read_record()
        assert record and record.command == shlex.join(each.words) and record.players == (3,)
        assert record.cpu_seconds and 0.1 < record.cpu_seconds < 1000
    assert cli.main([*runs[0].words[1:-1], "again"]) == 0
    again = RunPaths(Path("again")).evaluations
    assert again.read_bytes() == runs[0].paths.evaluations.read_bytes()


def test_a_finished_experiment_runs_nothing_more(
    copied: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = report_files(copied / "out")
    monkeypatch.setattr(execution, "_context", None)
    assert experiment(*WORDS) == 0
    assert "6 runs, 0 to do; logs: out/runs/*/*.log" in capsys.readouterr().out
    assert report_files(copied / "out") == before


def start_in(folder: Path) -> None:
    """The command, in a process of its own; its runs have the libraries that it has loaded."""
    os.chdir(folder)
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        patched: Any = execution
        patched._context = multiprocessing.get_context("fork")
        os._exit(experiment(*WORDS))


def test_killed_experiments_end_with_the_report_of_one_that_was_not(
    finished: Path, tmp_path: Path
) -> None:
    """First in the middle of a run, then at random times; the runs end with them, and resume."""
    random = np.random.default_rng()
    write_comparison(tmp_path)
    for kill in range(KILLS + 1):
        process = CONTEXT.Process(target=start_in, args=(tmp_path,))
        process.start()
        while kill == 0 and not list(tmp_path.glob("out/runs/*/*/run.json")):
            assert process.is_alive()
            time.sleep(0.001)
        if kill < KILLS:
            process.join(random.uniform(0, 3) if kill else 0)
            process.kill()
        process.join()
    assert process.exitcode == 0
    logs = [log.read_text() for log in tmp_path.glob("out/runs/*/*.log")]
    assert any("$ mindup train --resume" in log for log in logs)
    assert report_files(tmp_path / "out") == report_files(finished / "out")
    assert not [path for path in (tmp_path / "out").rglob(".*") if path.is_file()], "leftovers"


def test_a_run_that_fails_is_reported_and_tried_again(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = write_learner(here, "failing", "if seed: sys.exit('out of luck')")
    wrong = write_learner(here, "wrong", "1 / 0")
    killed = write_learner(here, "killed", "import os; os.kill(os.getpid(), 9)")
    text = SETTINGS + failing + wrong + killed + write_learner(here)
    (here / "comparison.toml").write_text(text)
    assert experiment(*WORDS) == 1
    said = capsys.readouterr().out
    assert (
        "failing, seed 1: failed with exit status 1; the end of out/runs/failing/seed-1.log" in said
    )
    assert "  out of luck\n" in said and "  ZeroDivisionError: division by zero\n" in said
    assert "killed, seed 0: was killed by signal 9" in said
    report = json.loads((here / "out" / "report.json").read_text())
    assert [(each["name"], each["seeds"]) for each in report["entries"]] == [
        ("failing", [0]),
        ("learner", [0, 1]),
    ]
    assert len(report["unfinished"]) == 5
    assert "Not ended: wrong, seed 0" in (here / "out" / "report.md").read_text()
    for name in ("failing", "wrong", "killed"):
        write_learner(here, name)
    assert experiment(*WORDS) == 0
    assert "8 runs, 5 to do; logs: out/runs/*/*.log" in capsys.readouterr().out
    assert json.loads((here / "out" / "report.json").read_text())["unfinished"] == []


def test_where_all_runs_fail_there_is_nothing_to_report(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "comparison.toml").write_text(SETTINGS + write_learner(here, "wrong", "1 / 0"))
    assert experiment(*WORDS) == 2
    assert "no run has ended in out: there is nothing to report" in capsys.readouterr().err


def test_an_interrupt_names_the_command_that_continues(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "run_in_processes", interrupted)
    words = ["tiny.toml", "--seeds", "2", "--sweep", "timesteps=48,96", "--workers", "1"]
    assert experiment(*words) == cli.INTERRUPTED
    command = f"mindup experiment {shlex.join(words[:-2])} --out runs/experiment-tiny --workers 1"
    assert f"interrupted; to continue: {command}" in capsys.readouterr().err
    assert (here / "runs" / "experiment-tiny" / "experiment.json").exists()


def test_running_processes_end_with_the_command(here: Path) -> None:
    mark = "import os, time; Path('pid').write_text(str(os.getpid())); time.sleep(600)"
    text = SETTINGS + write_learner(here) + write_learner(here, "sleeping", mark)
    (here / "comparison.toml").write_text(text)
    assert experiment("comparison.toml", "--seeds", "1", "--out", "out", "--workers", "0") == 2
    plan = Experiment.read(["comparison.toml"], {}, {"seeds": 1})
    runs = ExperimentFolder(here / "out", plan, "", {}).runs()
    ending = run_in_processes(runs, plan.settings, workers=2)
    assert next(ending).run.entry.name == "learner"
    while not ((here / "pid").exists() and (here / "pid").read_text()):
        time.sleep(0.01)
    assert any(
        str(child.pid) == (here / "pid").read_text() for child in multiprocessing.active_children()
    )
    ending.close()
    assert not multiprocessing.active_children()


def hold(folder: Path) -> None:
    with lock_folder(folder):
        time.sleep(1)


def test_a_run_waits_for_the_process_of_a_killed_experiment(copied: Path) -> None:
    first = ExperimentFolder.read(Path("out")).runs()[0]
    first.path.with_suffix(".json").unlink()
    process = CONTEXT.Process(target=hold, args=(copied / first.path,))
    process.start()
    while not (first.path / LOCK_NAME).exists():
        time.sleep(0.001)
    assert experiment(*WORDS) == 0
    process.join()


def test_an_experiment_can_have_more_seeds_later_and_no_other_settings(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "comparison.toml").write_text(SETTINGS + write_learner(here))
    assert experiment(*WORDS, "--seeds", "1") == 0
    assert experiment(*WORDS) == 0
    assert "2 runs, 1 to do; logs: out/runs/*/*.log" in capsys.readouterr().out
    assert experiment(*WORDS, "--evaluation-deals", "3") == 2
    assert "out has an experiment with other entries or settings" in capsys.readouterr().err
    (here / "comparison.toml").write_text(SETTINGS + "entries.tiny.preset = 'tiny.toml'")
    with open_folder(here / "preset", Experiment.read(["comparison.toml"], {}, {}), ""):
        pass
    (here / "tiny.toml").write_text(PRESET.replace("timesteps = 96", "timesteps = 48"))
    assert experiment("comparison.toml", "--out", "preset") == 2
    assert "preset has an experiment with other" in capsys.readouterr().err, "the preset changed"
    (here / "comparison.toml").write_text(SETTINGS + write_learner(here))
    with lock_folder(here / "out"):
        assert experiment(*WORDS) == 2
    assert "out is in use by process" in capsys.readouterr().err
    (here / "other").mkdir()
    (here / "other" / "file").touch()
    assert experiment("comparison.toml", "--out", "other") == 2
    assert "other already exists" in capsys.readouterr().err


def test_machines_with_other_seeds_are_merged(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "comparison.toml").write_text(SETTINGS + write_learner(here))
    words = ["comparison.toml", "--seeds", "2"]
    assert experiment(*words, "--out", "a") == 0
    assert experiment(*words, "--out", "b", "--first-seed", "2") == 0
    assert experiment(*words[:-1], "4", "--out", "whole") == 0
    assert experiment("report", "a", "b", "--out", "both") == 0
    both, whole = (
        json.loads((here / name / "report.json").read_text()) for name in ("both", "whole")
    )
    assert both["entries"][0]["seeds"] == [0, 1, 2, 3]
    assert both["entries"][0]["iqm"] == whole["entries"][0]["iqm"]
    assert len(both["commands"]) == 2
    assert experiment("report", "b", "a", "--out", "both") == 0, "it may be written again"
    capsys.readouterr()
    for folders, said in (
        (["a", "b"], "the report of several folders needs a folder of its own: add --out"),
        (["a", "whole", "--out", "c"], "a/runs/learner/seed-0 and whole/runs/learner/seed-0 are"),
        (["a", "--out", "b"], "b already exists"),
    ):
        assert experiment("report", *folders) == 2
        assert said in capsys.readouterr().err
    assert experiment(*words, "--evaluation-deals", "3", "--out", "d") == 0
    assert experiment("report", "a", "d", "--out", "c") == 2
    assert "a and d cannot be merged" in capsys.readouterr().err


def test_an_experiment_of_an_earlier_version_continues(copied: Path) -> None:
    """It wrote settings without those that are new, and one number of players in its records."""
    path = copied / "out" / "experiment.json"
    plain = json.loads(path.read_text())
    for settings in plain["train_settings"].values():
        del settings["pad_to_players"]
    path.write_text(json.dumps(plain))
    for record in (copied / "out" / "runs").glob("*/*.json"):
        record.write_text(json.dumps({**json.loads(record.read_text()), "players": 3}))
    before = report_files(copied / "out")
    assert experiment(*WORDS) == 0
    assert report_files(copied / "out") == before


def test_records_of_earlier_versions_are_read(copied: Path) -> None:
    run = ExperimentFolder.read(copied / "out").runs()[0]
    record = run.path.with_suffix(".json")
    plain = json.loads(record.read_text())
    del plain["cpu_seconds"]
    record.write_text(json.dumps(plain))
    found = run.read_record()
    assert found and found.cpu_seconds is None and found.win_shares == plain["win_shares"]


def test_damaged_files_are_named(copied: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = copied / "out" / "runs" / "self_play" / "seed-0.json"
    for text in ("", "[]", '{"status": "x", "win_shares": {}, "players": 3}'):
        record.write_text(text)
        assert experiment(*WORDS) == 2
        assert f"{record.relative_to(copied)} is not the record of a run" in capsys.readouterr().err
    (copied / "out" / "experiment.json").write_text("{}")
    assert experiment("report", "out") == 2
    assert "experiment.json does not describe an experiment" in capsys.readouterr().err
