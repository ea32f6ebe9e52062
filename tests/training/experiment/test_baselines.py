"""The command that makes the page of baselines again, with learners that train for a moment."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from mindup_training.experiment import Experiment
from tests.training.experiment.experiments import PRESET, write_learner
from tools.baselines import __main__ as study
from tools.tables import baselines as tables
from tools.tables import results

SHORT_GAME = "[game]\nnum_rounds = 1\nhand_size = 3\n"
"""The single-file learners play whole games."""
LEARNERS = """
seeds = 2
evaluate_against = ["lowest", "random"]
evaluation_deals = 2

[entries.bots_position]
preset = "tools/baselines/against_bots.toml"

[entries.mappo]
command = "python -m mindup_training.ppo --critic state --players 3 --timesteps 336 --num-envs 16 \
--evaluations 1 --evaluation-deals 2 --opponent lowest --seed {seed} --out {out}"
"""
GAMES = """
seeds = 1
evaluate_against = ["lowest", "random"]
evaluation_deals = 2

[entries.1_objective]
preset = "tools/baselines/against_bots.toml"
settings = { objectives = [1] }
"""
TABLES = """
seeds = 1
evaluate_against = ["lowest", "random"]
evaluation_deals = 2

[entries.3_players]
preset = "tools/baselines/against_bots.toml"

[entries.mixture]
preset = "tools/baselines/against_bots.toml"
settings = { players = [2, 3] }
"""


def test_the_kept_reports_are_those_of_the_entries() -> None:
    kept = results.report("baselines/runs")
    for name in tables.STUDIES:
        experiment = Experiment.read([str(study.HERE / f"{name}.toml")], {}, {})
        experiment.check()
        assert experiment.settings.seeds == 5
        found = {entry.name for entry in experiment.entries}
        assert kept[name].keys() <= found
        if name == tables.LEARNERS:
            asked = {entry for pair in tables.QUESTIONS.values() for entry in pair}
            assert {*asked, tables.REFERENCE} <= found


def test_a_failed_run_ends_the_command(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entries = write_learner(here) + write_learner(here, "broken", "sys.exit('out of luck')")
    (here / "learners.toml").write_text(f"seeds = 1\nevaluate_against = ['random']\n{entries}")
    experiment = Experiment.read(["learners.toml"], {}, {})
    with pytest.raises(SystemExit, match="1 runs failed"):
        study.compare(experiment, tables.LEARNERS, workers=1)
    assert "out of luck" in capsys.readouterr().out
    (found,) = study.ended_runs(tables.LEARNERS)
    assert found[0].entry.name == "learner"


def test_the_command_runs_all_and_reports_it(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study.HERE.mkdir(parents=True)
    (study.HERE / "against_bots.toml").write_text(PRESET.replace(SHORT_GAME, ""))
    for name, text in zip(tables.STUDIES, (LEARNERS, GAMES, TABLES), strict=True):
        (study.HERE / f"{name}.toml").write_text(text)
    made = []

    def make(words: list[str]) -> int:
        made.append(words)
        return 0

    monkeypatch.setattr(study, "cli", SimpleNamespace(main=make))
    for module in (study, results):
        monkeypatch.setattr(module, "RESULTS", here / "results")
    monkeypatch.setattr(tables, "QUESTIONS", {"Which?": ("mappo", "bots_position")})
    study.OUT.mkdir(parents=True)
    study.main(["--workers", "2"])
    assert made == [study.MAKE_DATASET[1:]]

    kept = results.report("baselines/runs")
    own = kept[tables.LEARNERS]["mappo"]
    assert [run["seed"] for run in own] == [0, 1]
    assert all(run["cpu_seconds"] > 0.01 and run["decisions"] >= 336 for run in own)
    response = kept[tables.BEST_RESPONSES]["mappo"]
    assert 0 <= response["win_share"]["value"] <= 1 and "seed-0" in response["command"]
    assert "| `mappo` |" in tables.baselines() and " | 2 | " in tables.baselines()
    assert (
        "| 1 objective |" in tables.baseline_games() and "| 4 players |" in tables.baseline_games()
    )
    assert "| 3 players | `mixture` |" in tables.baseline_one_policy()
    assert "| 2 players | `mixture` |" in tables.baseline_one_policy()
    assert "`mappo` over `bots_position`" in tables.baseline_answers()
    assert response["command"] in tables.baseline_commands()

    before = (here / "results/baselines/runs.json").read_bytes()
    study.main(["--report"])
    assert (here / "results/baselines/runs.json").read_bytes() == before
    assert len(json.loads(before)) == 6
