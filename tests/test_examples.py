"""The examples run."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import permutations
from pathlib import Path
from threading import Thread

import pytest

FOLDER = Path(__file__).parent.parent / "examples"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py"))

BRIEF = {
    "empirical_game": ("{out}/report.json", r"rock +-?0\.0 +33\.3 +33\.3"),
    "exploit_checkpoints": (
        "--timesteps 1 --policies 1 --deals 2 --out {out}",
        r"after         0 decisions: the best response wins \d",
    ),
    "gpu_games": ("--num-envs 1", r"decisions/s with observations|skipped: \w"),
    "language_model_bot": ("--model x --deals 2", r"random cards in \d+ of 168 decisions"),
    "mcts_bot": ("--deals 2 --batches 1", r"win share against three greedy: \d"),
    "minari_dataset": ("--games 20 --epochs 2", r"epoch 2: log loss 1\.[0-4]"),
    "optuna_search": (
        "--trials 1 --timesteps 1 --deals 2 --out {out}",
        r"best trial \d, win share on new deals: \d\.\d+(.|\n)*--learning-rate 0\.\d+",
    ),
    "program_bot": ("--deals 50", r"win share against three random: 0\.[4-6]"),
    "psro": (
        "--rounds 1 --timesteps 1 --deals 2 --out {out}",
        r"round 0: .* % \w+(.|\n)*round 1: ",
    ),
    "rank_own_bots": ("--deals 2", r"2 deals in all seat rotations, \d+ games"),
    "recurrent_ppo": (
        "--timesteps 53000 --out {out}/recurrent",
        r"5\d,\d+ +0 s +[345]\d\.",
    ),
    "rllib_ppo": ("--iterations 10 --out {out}/policy", r"three random: 0\.[3-6]"),
    "learning_track": (
        "--seeds 2 --decisions 1 --deals 2 --rivals greedy --out {out}",
        r"\| maskable \| .* ± (.|\n)*\| ppo \| .* ± ",
    ),
    "sb3_maskable_ppo": ("--timesteps 1 --deals 2", r"win share against three random: \d"),
    "torchrl_ppo": ("--rollouts 1 --games 2", r"win share against three random: \d"),
}
"""Short runs, and what they print; OUT is a folder of the test."""

NEEDED = {
    "language_model_bot": "openai",
    "minari_dataset": "minari",
    "optuna_search": "optuna",
    "rllib_ppo": "ray",
    "torchrl_ppo": "torchrl",
}
"""Libraries of an environment of their own."""

_BEATEN = {"rock": "scissors", "paper": "rock", "scissors": "paper"}
CIRCLE = {
    "cross_table": [
        {"one": one, "field": field, "win_share": 60 if _BEATEN[one] == field else 10}
        for one, field in permutations(_BEATEN, 2)
    ],
}
"""What is read of the report of an arena."""


class Model(BaseHTTPRequestHandler):
    """A language model that names no card in the first turn of a round, and then the lowest."""

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        table = json.loads(self.rfile.read(size))["messages"][1]["content"]
        lowest = re.findall(r"your hand\D+(\d+)", table)[0]
        said = "I pass." if ", turn 1 of" in table else f"Low is good.\n**card {lowest}**"
        answer = {"choices": [{"message": {"role": "assistant", "content": said}}]}
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def language_model() -> Iterator[str]:
    """The address of a server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(script, marks=pytest.mark.libraries if script in NEEDED else pytest.mark.slow)
        for script in SCRIPTS
    ],
)
def test_the_example_runs(script: str, tmp_path: Path, language_model: str) -> None:
    if script in NEEDED:
        pytest.importorskip(NEEDED[script], exc_type=ImportError)
    (tmp_path / "report.json").write_text(json.dumps(CIRCLE))
    words, printed = BRIEF[script]
    done = subprocess.run(
        [sys.executable, f"{script}.py", *words.format(out=tmp_path).split()],
        cwd=FOLDER,
        env={
            **os.environ,
            "MINARI_DATASETS_PATH": str(tmp_path),
            "OMP_NUM_THREADS": "1",  # threads that wait for each other take many times as long
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": language_model,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(printed, done.stdout), done.stdout


def test_every_example_is_listed_and_run() -> None:
    listed = re.findall(r"\]\((\w+)\.py\)", (FOLDER / "README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == SCRIPTS == sorted(BRIEF)
