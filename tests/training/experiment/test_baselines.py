"""The command that makes the page of baselines again, with learners that only pretend to learn."""

import json
from pathlib import Path
from typing import Any

import pytest

from mindup_training.experiment import Experiment, run_process
from mindup_training.experiment.folder import ExperimentRun
from tests.training.experiment.experiments import pretend
from tools.baselines import __main__ as study
from tools.tables import baselines as tables
from tools.tables import commands, reports

SETTINGS = "seeds = 2\nevaluate_against = ['lowest', 'random']\nevaluation_deals = 2\n"
ENTRIES = {
    tables.LEARNERS: {"bots_position": "", "mappo": "ppo.epochs = 1"},
    tables.BEST_RESPONSES: {"mappo": ""},
    tables.GAMES: {"1_objective": "objectives = [1]"},
    tables.TABLES: {"3_players": "", "mixture": "players = [2, 3]"},
}
SHARE = {"value": 0.5, "low": 0.4, "high": 0.6}


def test_the_kept_reports_are_those_of_the_entries() -> None:
    kept = reports.report("baselines/runs")
    for name in study.EXPERIMENTS:
        experiment = Experiment.read([str(study.HERE / f"{name}.toml")], {}, {})
        assert experiment.settings.seeds == (1 if name == tables.BEST_RESPONSES else 5)
        assert kept[name].keys() <= {*experiment.names}
        if name == tables.LEARNERS:
            experiment.check()
            asked = {entry for pair in tables.QUESTIONS.values() for entry in pair}
            assert {*asked, tables.REFERENCE} <= {*experiment.names}


def test_the_command_runs_all_and_reports_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def train(run: ExperimentRun, *, resumes: bool) -> int:
        status = pretend(run, resumes=resumes)
        (run.path / "exploit.json").write_text(json.dumps({"win_share": SHARE}))
        return status

    made: list[Any] = []
    monkeypatch.setattr(run_process, "train", train)
    monkeypatch.setattr(study, "make_dataset", lambda *given, **_: made.append(given))
    for module in (study, reports):
        monkeypatch.setattr(module, "RESULTS", here / "results")
    monkeypatch.setattr(tables, "QUESTIONS", {"Which?": ("mappo", "bots_position")})
    study.HERE.mkdir(parents=True)
    for name, entries in ENTRIES.items():
        text = "".join(
            f"[entries.{entry}]\npreset = 'tiny.toml'\nsettings = {{ {given} }}\n"
            for entry, given in entries.items()
        )
        (study.HERE / f"{name}.toml").write_text(SETTINGS + text)
    study.main(["--workers", "2"])
    assert made == [(study.DATASET, study.OUT / "dataset")]

    kept = reports.report("baselines/runs")
    own = kept[tables.LEARNERS]["mappo"]
    assert [run["seed"] for run in own] == [0, 1]
    assert all(run["cpu_seconds"] > 0.01 and run["decisions"] == 100 for run in own)
    response = kept[tables.BEST_RESPONSES]["mappo"]
    assert response["win_share"] == SHARE
    assert "| `mappo` |" in tables.baselines() and " | 2 | " in tables.baselines()
    assert (
        "| 1 objective |" in tables.baseline_games() and "| 4 players |" in tables.baseline_games()
    )
    assert "| 3 players | `mixture` |" in tables.baseline_one_policy()
    assert "| 2 players | `mixture` |" in tables.baseline_one_policy()
    assert "`mappo` over `bots_position`" in tables.baseline_answers()
    assert response["command"] in commands.baseline_commands()

    before = (here / "results/baselines/runs.json").read_bytes()
    study.main(["--report"])
    assert (here / "results/baselines/runs.json").read_bytes() == before


@pytest.mark.usefixtures("here")
def test_a_failed_run_ends_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "make_dataset", lambda *_, **__: None)
    study.HERE.mkdir(parents=True)
    entry = "[entries.failing]\npreset = 'tiny.toml'\n"
    (study.HERE / "learners.toml").write_text(SETTINGS + entry)
    with pytest.raises(SystemExit, match="1 runs failed"):
        study.main([])
    assert [run["seed"] for run in study.runs_of(tables.LEARNERS)["failing"]] == [0]
