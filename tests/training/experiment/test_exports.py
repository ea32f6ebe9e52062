"""The report on the terminal, as data and as pictures."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from mindup_agents.policy import PolicyAgent, load_policy
from mindup_arena.estimate import Floats
from mindup_arena.match import win_share_against
from mindup_training.experiment.folder import read_folder
from mindup_training.experiment.plan import FINAL_SEED
from mindup_training.experiment.report import ExperimentReport, make_report, read_curve
from mindup_training.experiment.report_files import make_curves, make_scores, print_experiment
from mindup_training.experiment.statistics import resample_runs
from mindup_training.loggers.csv_files import CsvLog
from mindup_training.trainer.evaluation import at_players
from tests.training.experiment.experiments import PRESET, experiment, report_on

BOTS = ["random", "lowest", "highest", "greedy"]


@pytest.fixture
def report(copied: Path) -> ExperimentReport:
    assert copied == Path.cwd()
    return make_report([read_folder(Path("out"))])


def read(name: str) -> Any:
    return json.loads((Path("out") / name).read_text())


def test_the_data_for_marl_eval_have_its_structure(report: ExperimentReport) -> None:
    """Environment, task, algorithm, run, step; each metric is a list of numbers."""
    data = read("marl_eval.json")
    assert list(data) == ["mindup"] and list(data["mindup"]) == ["lowest", "random"]
    final = {each["name"]: each["scores"] for each in read("report.json")["entries"]}
    for task, algorithms in data["mindup"].items():
        assert list(algorithms) == [result.name for result in report.entries]
        for name, runs in algorithms.items():
            assert list(runs) == ["seed_0", "seed_1"]
            for place, steps in enumerate(runs.values()):
                *numbered, absolute = steps
                assert absolute == "absolute_metrics"
                share = pytest.approx([final[name][task][place]], abs=1e-6)
                assert steps[absolute] == {"win_share": share}
                assert numbered == [f"step_{number}" for number in range(len(numbered))]
                counts = [steps[step].pop("step_count") for step in numbered]
                assert counts == sorted({*counts}) and all(type(each) is int for each in counts)
                for step in numbered:
                    assert list(steps[step]) == ["win_share"]
                    assert [type(each) for each in steps[step]["win_share"]] == [float]
    assert len(data["mindup"]["random"]["own"]["seed_0"]) == 3
    assert len(data["mindup"]["lowest"]["own"]["seed_0"]) == 1, "it was not evaluated"


def test_the_csv_files_have_all_numbers(report: ExperimentReport) -> None:
    rows = list(csv.DictReader(Path("out/scores.csv").read_text().splitlines()))
    assert [row["measure"] for row in rows] == ["iqm_win_share"] * 6 + [
        "probability_of_improvement"
    ] * 2
    assert [row["against"] for row in rows[:3]] == ["all", "lowest", "random"]
    assert all(float(row["low"]) <= float(row["value"]) <= float(row["high"]) for row in rows)
    pairs = {(row["entry"], row["against"]): float(row["value"]) for row in rows[6:]}
    assert all(one + pairs[names[::-1]] == 1 for names, one in pairs.items())
    result = report.entries[0]
    curve = result.curves["random"]
    text = Path("out/data/sb3_learning_rate_0.001.csv").read_text()
    evaluations = list(csv.DictReader(text.splitlines()))
    assert len(evaluations) == 2 * 2 * len(curve.timesteps)
    for run, scores in zip(result.runs, curve.scores, strict=True):
        own = [row for row in evaluations if row["seed"] == str(run.seed)]
        shown = [row for row in own if row["opponent"] == "random"]
        assert curve.timesteps.tolist() == [float(row["timesteps"]) for row in shown]
        assert scores.tolist() == [float(row["value"]) for row in shown]


def test_runs_of_different_lengths_are_interpolated_where_all_have_evaluations(
    report: ExperimentReport,
) -> None:
    runs = report.entries[0].runs
    for run, steps in zip(runs, [(0, 20, 40), (10, 30)], strict=True):
        log = CsvLog(run.paths.evaluations, last_timesteps=-1)
        for at in steps:
            log.add(at, {"opponent": "random", "value": at / 100, "low": 0.0, "high": 1.0})
    curve = read_curve(runs, "random", resample_runs(2, 0, 9))
    assert curve and curve.timesteps.tolist() == [10, 20, 30]
    np.testing.assert_allclose(curve.scores, [[0.1, 0.2, 0.3]] * 2)
    assert read_curve(runs, "lowest", resample_runs(2, 0, 9)) is None


def test_a_report_of_many_bots_fits_in_80_columns(here: Path) -> None:
    for name in ("short", "a_name_that_is_much_longer_than_others"):
        (here / f"{name}.toml").write_text(PRESET)
    words = ["short.toml", "a_name_that_is_much_longer_than_others.toml", "--seeds", "1"]
    words += ["--evaluation-deals", "1", "--evaluate-against", *BOTS, "--out", "out"]
    assert experiment(*words) == 0
    text, report = StringIO(), make_report([read_folder(Path("out"))])
    print_experiment(report, Console(width=80, file=text))
    lines = text.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    printed = " ".join(lines)
    assert all(bot in printed for bot in BOTS)
    assert "Intervals of fewer than 5 runs are too short." in printed
    assert ".." not in printed, "one run has no interval"
    (panel,) = make_curves(report).axes
    assert panel.get_title() == "against random", "no learner was evaluated against the others"


def test_pictures_and_markdown_show_every_entry(report: ExperimentReport) -> None:
    lowest, against_random = make_curves(report).axes
    names = [f"{result.name} (2 runs)" for result in report.entries]
    assert [line.get_label() for line in lowest.get_lines()] == ["equal", names[0]]
    assert [line.get_label() for line in against_random.get_lines()] == ["equal", *names]
    scores, improvements = make_scores(report).axes
    assert len(scores.get_lines()) == 2 * len(names)
    (picture,) = improvements.get_images()
    chances: Floats = np.ma.filled(np.ma.asarray(picture.get_array()), np.nan)
    assert (np.isnan(chances) == np.eye(len(names), dtype=bool)).all()
    text = Path("out/report.md").read_text()
    for result in report.entries:
        assert f"| {result.name} (2) | " in text
        assert all(record.command in text for record in result.records)
    assert "mindup experiment run comparison.toml --out out" in text
    assert "Probability that the row is better than the column" in text
    assert "own has no learning curve against lowest." in text


def test_each_number_of_players_has_a_report(here: Path) -> None:
    """With policies for one number of players and for both."""
    entries = "".join(
        f"entries.{name} = {{ preset = 'tiny.toml', settings = {{ players = {players} }} }}\n"
        for name, players in (("two", 2), ("three", 3), ("mixture", [2, 3]))
    )
    settings = "seeds = 2\nevaluation_deals = 3\n"
    (here / "tables.toml").write_text(settings + entries)
    assert experiment("tables.toml", "--out", "out") == 0
    whole = read("report.json")
    results = {entry["name"]: entry for entry in whole["entries"]}
    assert whole["players"] == [2, 3] and list(results) == ["two", "three", "mixture"]
    assert "means over games with 2, 3 players" in Path("out/report.md").read_text()
    mixtures = [run for run in read_folder(Path("out")).runs() if run.entry.name == "mixture"]
    for players, alone in ((2, "two"), (3, "three")):
        report = read(f"{players}-players/report.json")
        at_table = {entry["name"]: entry for entry in report["entries"]}
        assert report["players"] == players and list(at_table) == [alone, "mixture"]
        assert at_table[alone]["scores"] == results[alone]["scores"]
        assert len(report["probability_of_improvement"]) == 2
        text = Path(f"out/{players}-players/report.md").read_text()
        assert f"equal play is {100 / players:.3g}" in text
        scores = at_table["mixture"]["scores"]
        for place, run in enumerate(mixtures):
            policy = load_policy(run.paths.policy)
            (config,) = (c for c in policy.description.configs if c.num_players == players)
            agent = PolicyAgent.of(policy, config)
            for bot in ("lowest", "random"):
                expected = win_share_against(agent, bot, config, 3, FINAL_SEED).value
                assert scores[bot][place] == pytest.approx(expected, abs=1e-6)
        assert len(at_table["mixture"]["curves"]["random"]["iqm"]) == 2
    for run in mixtures:
        record = run.result()
        assert record and record.players == (2, 3)
        parts = [record.win_shares[at_players("lowest", players)] for players in (2, 3)]
        assert record.win_shares["lowest"] == pytest.approx(np.mean(parts))
    before = {path: path.read_bytes() for path in Path("out").glob("*-players/*.*")}
    assert len(before) == 12 and report_on("out") == 0
    assert all(path.read_bytes() == content for path, content in before.items())
