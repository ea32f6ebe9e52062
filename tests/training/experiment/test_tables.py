"""An experiment with policies for one number of players and for several."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_agents.policy import PolicyAgent, load_policy
from mindup_arena.match import win_share_against
from mindup_training.experiment.folder import ExperimentRun, RunRecord, read_folder
from mindup_training.experiment.plan import FINAL_SEED
from mindup_training.train.evaluation import at_players
from tests.training.experiment.experiments import PRESET, experiment

ENTRIES = """
seeds = 2
evaluate_against = ["lowest", "random"]
evaluation_deals = 3

[entries.two]
preset = "tiny.toml"
settings = { players = 2 }

[entries.three]
preset = "tiny.toml"

[entries.mixture]
preset = "tiny.toml"
settings = { players = [2, 3] }
"""


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(PRESET)
    Path("tables.toml").write_text(ENTRIES)
    assert experiment("tables.toml", "--workers", "1", "--out", "out") == 0
    return Path("out")


def records(out: Path, name: str) -> list[tuple[ExperimentRun, RunRecord]]:
    found = []
    for run in read_folder(out).runs():
        record = run.read_record()
        if run.entry.name == name and record is not None:
            found.append((run, record))
    return found


def read(path: Path) -> Any:
    report = json.loads(path.read_text())
    return report, {entry["name"]: entry for entry in report["entries"]}


def test_each_number_of_players_has_a_report(out: Path) -> None:
    whole, entries = read(out / "report.json")
    assert whole["players"] == [2, 3] and list(entries) == ["two", "three", "mixture"]
    assert "means over games with 2, 3 players" in (out / "report.md").read_text()
    for players, alone in ((2, "two"), (3, "three")):
        report, at_table = read(out / f"{players}-players" / "report.json")
        assert report["players"] == players and list(at_table) == [alone, "mixture"]
        assert at_table[alone]["scores"] == entries[alone]["scores"]
        assert len(report["probability_of_improvement"]) == 2
        text = (out / f"{players}-players" / "report.md").read_text()
        assert f"equal play is {100 / players:.3g}" in text
        for (run, record), *shares in zip(
            records(out, "mixture"), *at_table["mixture"]["scores"].values(), strict=True
        ):
            policy = load_policy(run.paths.policy)
            assert record.players == (2, 3)
            for bot, share in zip(("lowest", "random"), shares, strict=True):
                (config,) = (c for c in policy.description.configs if c.num_players == players)
                agent = PolicyAgent.of(policy, config)
                expected = win_share_against(agent, bot, config, 3, FINAL_SEED).value
                assert share == pytest.approx(expected, abs=1e-6)
        for bot in ("lowest", "random"):
            assert len(at_table["mixture"]["curves"][bot]["iqm"]) == 3
    for _, record in records(out, "mixture"):
        for bot in ("lowest", "random"):
            parts = [record.win_shares[at_players(bot, players)] for players in (2, 3)]
            assert record.win_shares[bot] == pytest.approx(np.mean(parts))
    before = {path: path.read_bytes() for path in out.glob("*-players/*.*")}
    assert len(before) == 12 and experiment("report", "out") == 0
    assert all(path.read_bytes() == content for path, content in before.items())
