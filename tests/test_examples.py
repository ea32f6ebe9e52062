"""The examples run, and are short enough to be read."""

import importlib.util
import json
import re
import sys
from itertools import permutations
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parent.parent / "examples"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py"))
MOST_LINES = 150

BRIEF = {
    "empirical_game": ("{report}", r"rock +-?0\.0 +33\.3 +33\.3"),
    "exploit_checkpoints": (
        "--timesteps 1 --deals 2 --out {out}",
        r"after         0 decisions: the best response wins \d",
    ),
    "gpu_games": ("--num-envs 1", r"decisions/s with observations|skipped: \w"),
    "jax_policy": ("--games 4", r"4 games; mean win share|skipped: \w"),
    "mappo": ("--rollouts 1", r"win share against three greedy: \d"),
    "mcts_bot": ("--deals 1 --batches 1", r"win share against three greedy: \d"),
    "memory_bot": (
        "--timesteps 1 --num-envs 2 --evaluation-deals 2 --out {out}",
        r"policy: .*policy.safetensors; learning curve: ",
    ),
    "optuna_search": (
        "--trials 1 --timesteps 1 --deals 1 --out {out}",
        r"best win share: \d\.\d+(.|\n)*learning_rate = 0\.\d+",
    ),
    "own_ppo": ("--rollouts 1", r"win share against three random: \d"),
    "own_training": (
        "--timesteps 1 --deals 2 --out {out}",
        r"1 rollouts; the policy plays as policy:.*,network=own_training:Attention\n",
    ),
    "psro": (
        "--rounds 1 --timesteps 1 --deals 2 --out {out}",
        r"round 0: .* % \w+(.|\n)*round 1: ",
    ),
    "rank_own_bots": ("--deals 2", r"2 deals, 4 players, \d+ games"),
    "reinforce": ("--rollouts 2", r"position-1: margin [+-]\d"),
    "sb3_maskable_ppo": ("--timesteps 1 --deals 2", r"win share against three random: \d"),
}
"""Short runs, and what they print; OUT is a folder of the test."""

_BEATEN = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
CIRCLE = {
    "bots": [{"name": bot} for bot in _BEATEN],
    "cross_table": [
        {"one": one, "field": field, "win_share": 60 if _BEATEN[one] == field else 10}
        for one, field in permutations(_BEATEN, 2)
    ],
}
"""What is read of the report of an arena."""


def load(script: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, as if it were started in its folder."""
    monkeypatch.chdir(FOLDER)
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location(script, FOLDER / f"{script}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, script, module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_the_example_runs(
    script: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words, printed = BRIEF[script]
    report = tmp_path / "report.json"
    report.write_text(json.dumps(CIRCLE))
    load(script, monkeypatch).main(words.format(out=tmp_path / "out", report=report).split())
    assert re.search(printed, capsys.readouterr().out)


def test_every_example_is_short_listed_and_run() -> None:
    for script in SCRIPTS:
        lines = (FOLDER / f"{script}.py").read_text(encoding="utf-8").splitlines()
        assert len(lines) < MOST_LINES, script
    listed = re.findall(r"\]\((\w+)\.py\)", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == SCRIPTS == sorted(BRIEF)
