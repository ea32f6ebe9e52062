"""The code of the pages prints what they show, and their commands work."""

import json
import re
import shlex
import signal
import urllib.request
from importlib import import_module
from pathlib import Path

import pytest

from mindup_env import Game, GameConfig, cli
from mindup_env.cli import parse_command
from mindup_training.dataset import DatasetSettings
from tests.pages import (
    ELSEWHERE,
    OF_THE_BENCHMARK,
    ON_RAY,
    PAGES,
    PLAYED,
    RUN,
    SETTING_UP,
    WITH_A_MODEL,
    WITH_LIBRARIES,
    blocks,
    commands,
    needs_gpu,
    own_modules,
    run_code,
)
from tests.processes import at_work
from tests.review.games import random_turns
from tests.scripted_game import scripted
from tests.training.datasets import play_dataset
from tools import ROOT

CODE = {
    page: code
    for page in PAGES
    if (
        code := "".join(
            text for language, text in blocks(page) if language == "python" and not needs_gpu(text)
        )
    )
}
WITH_TORCH = "import torch|mindup_training"
"""What loads PyTorch takes time, as the documented commands do."""


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.documented] * bool(re.search(WITH_TORCH, code)))
        for page, code in CODE.items()
    ],
    ids=lambda page: page.stem,
)
def test_the_code_prints_the_output_below_it(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # for the files that it reads and writes
    with own_modules(tmp_path):
        assert run_code(page)


def test_every_command_is_run_or_sets_up() -> None:
    lists = PLAYED, OF_THE_BENCHMARK, WITH_A_MODEL, WITH_LIBRARIES, ON_RAY
    elsewhere = {*ELSEWHERE, *(command for commands_of in lists for command in commands_of)}
    assert all((ROOT / "tests" / path).exists() for path in ELSEWHERE.values())
    rules = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    made = {command for command in commands() if command.startswith("make ")}
    assert made and made <= {f"make {rule}" for rule in rules}
    assert commands() - made == SETTING_UP | set(RUN) | elsewhere


def test_the_readme_is_short_and_begins_with_the_two_commands() -> None:
    readme = ROOT / "README.md"
    assert len(readme.read_text(encoding="utf-8").split()) <= 900
    first = next(text for language, text in blocks(readme) if language == "console")
    assert [line.partition("#")[0].strip() for line in first.splitlines()] == [
        "make train",
        "make test",
    ]


def published_game() -> Game:
    """A game of the published rules, played at random to its end."""
    return random_turns(Game(GameConfig(num_players=3), 1), 21)[-1]


@pytest.mark.parametrize("command", sorted(each for each in commands() if "mindup " in each[:7]))
def test_the_command_is_understood(command: str) -> None:
    _, *words = shlex.split(command)
    assert callable(parse_command(words).run)


@pytest.mark.documented
@pytest.mark.parametrize("command", RUN)
def test_the_command_works(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # for the files that it writes
    recorded = published_game() if "review" in command else scripted(5)
    Path("FILE").write_text(json.dumps(recorded.record()))
    for name in re.findall(r"docs/\S+", command):
        Path(name).parent.mkdir(parents=True)
        Path(name).write_bytes((ROOT / name).read_bytes())
    Path("agents").symlink_to(ROOT / "agents")  # a preset begins with a policy there
    if "--imitate DIR" in command:
        play_dataset(DatasetSettings(("greedy",), deals=2, format="npz"), Path("DIR"))
    program, *words = shlex.split(f"{command} {RUN[command]}")
    with own_modules(tmp_path):
        if program == "mindup":
            assert cli.main(words) == 0
        else:
            # A module, or a script of the repository.
            module, *words = words[words[0] == "-m" :]
            name = module.removesuffix(".py").replace("/", ".")
            assert program == "python" and import_module(name).main(words) is None


@pytest.mark.documented
@pytest.mark.parametrize("command", sorted(PLAYED))
def test_a_person_can_play(command: str, tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    record.write_text(json.dumps(published_game().record()))
    command = command.replace("FILE", shlex.quote(str(record)))
    _, *words = shlex.split(f"{command} --no-browser --data {shlex.quote(str(tmp_path))}")
    with at_work(*words) as process:
        assert process.stdout
        said = process.stdout.readline()
        if said.startswith("Preparing the table"):  # once after installing
            said = process.stdout.readline()
        (url,) = re.findall(r"http://127\.0\.0\.1:\d+/", said)
        with urllib.request.urlopen(url, timeout=60) as page:  # noqa: S310  # just started here
            assert b"<title>Mind Up!</title>" in page.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
