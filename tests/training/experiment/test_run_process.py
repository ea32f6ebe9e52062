"""What the process of a run does, in this process."""

import sys
from pathlib import Path

import pytest

from mindup_agents.policy import PolicyAgent
from mindup_arena.match import win_share_against
from mindup_env import GameConfig
from mindup_training.experiment import run_process
from mindup_training.experiment.entry import CommandEntry
from mindup_training.experiment.folder import ExperimentRun
from mindup_training.experiment.settings import FINAL_SEED, ExperimentSettings
from tests.training.policies import random_policy

GAMES = [GameConfig(3, objectives, num_rounds=1, hand_size=3) for objectives in (0, 2)]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["mindup", "train", "--resume", "nowhere"], 2),
        (["mindup", "train", "--nonsense"], 2),
        (["python", "-m", "json.tool", "--help"], 0),
        (["python", "script.py", ""], 0),
        (["python", "script.py", "out of luck"], 1),
        (["python", "script.py", "7"], 7),
    ],
)
def test_a_command_has_the_status_of_a_process(
    words: list[str], status: int, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "beside.py").write_text("def read(text): return int(text) if text.isdigit() else text")
    (here / "script.py").write_text(
        "import sys, beside\nif sys.argv[1]: sys.exit(beside.read(sys.argv[1]))"
    )
    monkeypatch.setattr(sys, "argv", [])
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert run_process._call(words) == status


def test_a_policy_is_evaluated_in_all_its_games_over_deals_of_no_training() -> None:
    policy = random_policy(*GAMES)
    settings = ExperimentSettings(evaluate_against=("lowest",), evaluation_deals=3)
    shares = [
        win_share_against(PolicyAgent.of(policy, game), "lowest", game, 3, FINAL_SEED)
        for game in GAMES
    ]
    mean = sum(share.value for share in shares) / 2
    assert run_process.evaluate_policy(policy, settings) == {"lowest": pytest.approx(mean)}
    assert FINAL_SEED > 2**40


def test_a_run_that_cannot_be_resumed_starts_again(here: Path) -> None:
    run = ExperimentRun(CommandEntry("x", "python x.py {seed} {out}"), 3, here / "seed-3")
    again = ["python", "x.py", "3", str(run.path)]
    assert run_process._words_from_here(run) == again
    run.path.mkdir()
    (run.path / "policy.safetensors").touch()
    assert run_process._words_from_here(run) == again
    assert not run.path.exists()
