"""An arena with a language model: killed, resumed, stopped by its budget or by a wrong key."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from mindup_agents.llm import BUDGET
from mindup_env import cli
from tests.llm.server import KEY, Reply, Request, StandIn, refusal, well_played
from tests.pages import WITH_A_MODEL
from tests.processes import MINDUP, ROOT

MODEL = "llm:stand-in,concurrency=4,prices=10/0"
GAME = ["--players", "3", "--rounds", "1", "--deals", "1", "--seed", "5"]


Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_command(*words: object, status: int = 0) -> str:
        """What the command prints, with its errors."""
        assert cli.main(["arena", "rank", *map(str, words)]) == status
        return "".join(capsys.readouterr())

    return run_command


def results(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (folder / "results").glob("*.json")}


def bodies(server: StandIn) -> list[str]:
    return [json.dumps(request.body) for request in server.requests]


def kept_lines(folder: Path) -> int:
    return sum(file.read_bytes().count(b"\n") for file in folder.rglob("answers-*.jsonl"))


def test_an_arena_that_was_stopped_asks_for_no_answer_again(
    server: StandIn, tmp_path: Path, run: Run
) -> None:
    """Killed while the server works on more requests of a chunk, and then by its budget."""
    run(MODEL, "random", *GAME, "--out", tmp_path / "unbroken")
    unbroken, resumed = set(bodies(server)), Event()
    server.requests.clear()
    answered: list[Request] = []

    def no_more_than_five(request: Request) -> Reply:
        if len(answered) >= 5 and not resumed.is_set():
            server.ended.wait(60)
            return refusal(503)
        answered.append(request)
        return well_played(request)

    server.answers = no_more_than_five
    folder = tmp_path / "killed"
    words = [sys.executable, "-c", MINDUP, "arena", "rank", MODEL, "random", *GAME]
    killed = subprocess.Popen([*words, "--out", folder], cwd=ROOT, start_new_session=True)
    with killed as process:
        try:
            deadline = time.monotonic() + 60
            while kept_lines(folder) < len(answered) or len(answered) < 5:
                assert process.poll() is None and time.monotonic() < deadline
                time.sleep(0.01)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    assert not results(folder), "it was killed before the end of the first chunk"
    before = {json.dumps(request.body) for request in answered}
    resumed.set()
    server.requests.clear()
    said = run("--resume", folder, "--budget", "0.1", status=130)
    assert "the budget of 0.1 is spent" in said and f"mindup arena rank --resume {folder}" in said
    assert "Traceback" not in said and KEY not in said
    stopped = len(server.requests)
    assert 5 <= stopped < 5 + 4
    run("--resume", folder, "--budget", "10")
    assert len(server.requests) > stopped
    assert len(set(bodies(server))) == len(server.requests)
    assert before and {*bodies(server)} == unbroken - before
    assert results(folder) == results(tmp_path / "unbroken")
    assert KEY not in (folder / "report.json").read_text()


@pytest.mark.parametrize("command", WITH_A_MODEL)
def test_the_commands_of_the_pages_work(
    command: str, server: StandIn, tmp_path: Path, run: Run
) -> None:
    _, _, _, *words = shlex.split(command.replace("DIR", str(tmp_path)))
    said = run(*words, *shlex.split(WITH_A_MODEL[command]))
    assert "llm:MODEL" in said and len(server.requests) > 10


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--budget", "much"], "a budget must be a number, not 'much'"),
        (["--budget", "1", "--ray"], "--budget is for the processes of one machine"),
    ],
)
@pytest.mark.usefixtures("server")
def test_a_wrong_budget_is_refused(words: list[str], problem: str, run: Run) -> None:
    assert problem in run(MODEL, "random", *GAME, *words, status=2)
    assert BUDGET not in os.environ
