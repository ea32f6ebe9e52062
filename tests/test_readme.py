"""What the README shows is what a reader gets: its code, its output and its commands."""

import contextlib
import io
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from mindup_env import cli

README = Path(__file__).parent.parent / "README.md"

# These set up and test the whole project, so the tests cannot run them.
NOT_RUN = {"make train", "make test"}
# What makes a command short enough for a test.
SHORT_TRAINING = "--timesteps 1 --evaluation-deals 1 --threads 1"
SMALL_SIZE = {
    "mindup bench engine": "--players 4 --num-envs 8 --seconds 0.01",
    "mindup bench env": "--num-envs 8 --seconds 0.01",
    "mindup bench train": "--num-envs 8 --seconds 0.01",
    "mindup train --preset quick": SHORT_TRAINING,
    "mindup train --preset quick --self-play": SHORT_TRAINING,
    "python -m mindup_training.ppo --minutes 5": "--decisions 1",
    "mindup arena random greedy planner predictor --deals 300": "--deals 2",
}


def blocks() -> list[tuple[str, str]]:
    """Language and text of every fenced block."""
    return re.findall(r"```(\w*)\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def commands() -> list[str]:
    lines = [
        line for language, text in blocks() if language == "console" for line in text.split("\n")
    ]
    return [line.partition("#")[0].strip() for line in lines if line]


def test_the_code_prints_what_stands_below_it() -> None:
    namespace: dict[str, object] = {}
    printed = ""
    shown = 0
    for language, text in blocks():
        if language == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(text, namespace)  # noqa: S102  # our own README
            printed = output.getvalue()
        elif language == "text":
            assert printed == text
            shown += 1
    assert shown > 5


def test_every_command_is_run_or_listed_as_not_run() -> None:
    assert set(commands()) == NOT_RUN | set(SMALL_SIZE)


@pytest.mark.parametrize("command", SMALL_SIZE)
def test_the_command_works(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # what it leaves
    program, *words = shlex.split(f"{command} {SMALL_SIZE[command]}")
    if program == "mindup":
        assert cli.main(words) == 0
    else:
        option, module, *words = words
        assert (program, option) == ("python", "-m")
        assert import_module(module).main(words) is None
