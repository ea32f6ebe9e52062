"""What the pages show is what a reader gets: their code, its output and their commands."""

import contextlib
import io
import json
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from mindup_env import cli
from tests.scripted_game import scripted

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "docs" / "mindup.md", ROOT / "docs" / "beyond.md"]

NOT_RUN = {
    # These set up and test the whole project.
    "make train",
    "make test",
    # These wait for a person; tests/play has a browser do it.
    "mindup play",
    "mindup play --players 5 --objectives 2 --seed 7 --opponents greedy,planner --hints predictor",
    "mindup play --terminal",
    # These need Ray, or more machines; tests/rllib plays on two nodes.
    "pip install 'mindup-env[rllib]' -c constraints-rllib.txt",
    "mindup train --rllib --players 4 --env-runners 2",
    "ray start --head --port 6379 --num-cpus 1",
    "ray start --address 127.0.0.1:6379 --num-cpus 1",
    "mindup train --rllib --env-runners 2 --address auto",
    "ray stop",
}
# What makes a command short enough for a test.
SHORT_TRAINING = "--timesteps 1 --evaluation-deals 1 --threads 1"
SMALL_SIZE = {
    "mindup bench engine": "--players 4 --num-envs 8 --seconds 0.01",
    "mindup bench env": "--num-envs 8 --seconds 0.01",
    "mindup bench train": "--num-envs 8 --seconds 0.01",
    "mindup train --preset quick": SHORT_TRAINING,
    "mindup train --preset 4_players --seed 0": SHORT_TRAINING,
    "mindup arena --one-vs-field champion predictor planner greedy random"
    " --players 4 --deals 600": "--deals 1",
    "mindup train --preset quick --self-play": SHORT_TRAINING,
    "python -m mindup_training.ppo --minutes 5": "--decisions 1",
    "mindup arena random greedy planner predictor --deals 300": "--deals 2",
    "mindup exploit greedy --minutes 10": "--minutes 0.001 --deals 2",
    "mindup replay FILE --html game.html": "",
}


def blocks(page: Path) -> list[tuple[str, str]]:
    """Language and text of every fenced block."""
    return re.findall(r"```(\w*)\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def commands() -> list[str]:
    lines = [
        line
        for page in PAGES
        for language, text in blocks(page)
        if language == "console"
        for line in text.split("\n")
    ]
    return [line.partition("#")[0].strip() for line in lines if line]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_prints_what_stands_below_it(page: Path) -> None:
    namespace: dict[str, object] = {}
    printed = ""
    shown = 0
    for language, text in blocks(page):
        if language == "python":
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(text, namespace)  # noqa: S102  # our own README
            printed = output.getvalue()
        elif language == "text":
            assert printed == text
            shown += 1
    assert shown


def test_every_command_is_run_or_listed_as_not_run() -> None:
    assert set(commands()) == NOT_RUN | set(SMALL_SIZE)


@pytest.mark.parametrize("command", SMALL_SIZE)
def test_the_command_works(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # what it leaves
    Path("FILE").write_text(json.dumps(scripted(5).record()))
    program, *words = shlex.split(f"{command} {SMALL_SIZE[command]}")
    if program == "mindup":
        assert cli.main(words) == 0
    else:
        option, module, *words = words
        assert (program, option) == ("python", "-m")
        assert import_module(module).main(words) is None
