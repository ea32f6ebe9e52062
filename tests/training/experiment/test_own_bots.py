"""Experiments with code of a user's own: features and networks, and bots without policy files."""

import json
from pathlib import Path

import pytest

from mindup_arena.match import win_share_against
from mindup_training.experiment.folder import read_folder
from mindup_training.experiment.plan import FINAL_SEED
from tests.training.experiment.experiments import GAME, PRESET, experiment

ENTRIES = """
seeds = 2
evaluate_against = ["lowest", "greedy"]
evaluation_deals = 3

[entries.own]
preset = "tiny.toml"

[entries.own.settings]
features = "tests.training.own_parts:Encoder:scale=2"
network = "tests.training.own_parts:Net:depth=2"

[entries.memory]
command = "python learn.py {seed} {out}"
bot = "memory:Bot:{out}/weights.txt"
"""
LEARN = """
import sys
from pathlib import Path

out = Path(sys.argv[2])
out.mkdir()
(out / "weights.txt").write_text(sys.argv[1])
"""
BOT = """
from pathlib import Path

class Bot:
    def __init__(self, config, path):
        self.sign = 1 if Path(path).read_text() == "0" else -1

    def act(self, observation, action_mask, episode_start, random_bits):
        cards = range(action_mask.shape[1])
        return (action_mask * [1000 + self.sign * card for card in cards]).argmax(axis=1)
"""


def test_bots_and_policies_of_own_code_are_evaluated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    files = {"tiny.toml": PRESET, "own.toml": ENTRIES, "learn.py": LEARN, "memory.py": BOT}
    for name, text in files.items():
        Path(name).write_text(text)
    assert experiment("own.toml", "--out", "out") == 0
    kept = read_folder(Path("out"))
    assert kept.settings.games == (GAME,)
    shares = {str(run): run.result() for run in kept.runs()}
    for seed, same in enumerate(("highest", "lowest")):
        found = shares[f"memory, seed {seed}"]
        assert found and found.players == (3,)
        for bot, share in found.win_shares.items():
            assert share == win_share_against(same, bot, GAME, 3, FINAL_SEED).value
    report = json.loads(Path("out/report.json").read_text())
    own, memory = report["entries"]
    assert own["seeds"] == memory["seeds"] == [0, 1] and own["curves"] and not memory["curves"]
    assert memory["bot"] == "memory:Bot:{out}/weights.txt"
    assert len(report["probability_of_improvement"]) == 2
