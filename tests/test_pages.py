"""The code of the pages prints what they show, and their commands work."""

import json
import re
import shlex
import subprocess
from importlib import import_module
from itertools import takewhile
from pathlib import Path

import pytest

import mindup_cli
from mindup_env import Game, GameConfig
from tests.pages import PAGES, blocks, needs_gpu, own_modules, run_code
from tests.review.games import random_turns
from tools import ROOT

SHORT_TRAINING = "--timesteps 1 --evaluations 1 --evaluation-deals 2 --threads 1"
RUN = {
    "mindup train --preset quick": SHORT_TRAINING,
    "mindup train --game 2p-2t --reward win": SHORT_TRAINING,
    "mindup train exploit greedy --minutes 10": f"--minutes 0.01 --deals 2 {SHORT_TRAINING}",
    "python -m mindup_training.ppo --players 4 --minutes 20 --half-precision": SHORT_TRAINING,
    "python -m mindup_training.ppo --game 2p-2t --reward win --minutes 5": SHORT_TRAINING,
    "python -m mindup_training.ppo --critic state --minutes 5": SHORT_TRAINING,
    "python -m mindup_training.ppo --minutes 5": SHORT_TRAINING,
    "mindup arena random greedy planner predictor --deals 300": "--deals 2",
    "mindup arena predictor planner --against greedy random --players 4 --deals 600": "--deals 2",
    "mindup arena mybot:Bot greedy random --deals 100": "--deals 2",
    "mindup arena mybot:Bot mybot:Bot:keep=0.5 --against greedy random --deals 100": "--deals 2",
    "mindup watch review FILE --json review.json": "--worlds 8",
}
"""What is added to each command, to make it small; what takes longest begins first."""

NOT_RUN = {
    # They set up.
    "source .venv/bin/activate",
    "pip install '.[cuda]'",
    'pip install --editable ".[render,train]" jupyterlab',
    "jupyter lab notebooks",
    "pip install '.[arena]' ray",
    "export RAY_AUTH_MODE=token",
    "ray get-auth-token --generate",
    "ray start --head --port 6379 --num-cpus 1",
    "ray start --address 127.0.0.1:6379 --num-cpus 1",
    "ray stop",
    # tests/test_bench.py and tests/test_examples.py do.
    "mindup bench",
    "python examples/learning_track.py --learners maskable ppo --seeds 5 --decisions 250000",
    # They serve a page: tests/play.
    "mindup play",
    "mindup play --players 5 --objectives 2 --seed 7 --opponents greedy planner --hints predictor",
    "mindup watch replay FILE",
    "mindup watch review FILE",
    "mindup watch bots champion predictor planner greedy",
    "mindup watch bots runs/quick-4p-seed0 planner",
    # They take minutes, a cluster or a GPU: tests of their parts do the same with less.
    "mindup train champion --players 4 --workers 2",
    "mindup train distil --players 4 --workers 2",
    "mindup benchmark run mybot:Bot --size small --out mybot-results --json mybot.json",
    "mindup benchmark board mybot.json docs/benchmark/*.json --html board.html",
    "mindup arena greedy planner random --deals 100 --ray auto",
    "mindup bench --device cuda",
    "mindup bench --device cuda --players 4",
}
COMMANDS = {
    line.partition("#")[0].strip()
    for page in PAGES
    for language, text in blocks(page)
    if language == "console"
    for line in text.splitlines()
}


def code_of(page: Path) -> str:
    python = [text for language, text in blocks(page) if language == "python"]
    return "".join(text for text in python if not needs_gpu(text))


@pytest.mark.parametrize(
    "page",
    [
        # To load PyTorch takes time.
        pytest.param(page, marks=[pytest.mark.slow] * ("import torch" in code_of(page)))
        for page in filter(code_of, PAGES)
    ],
    ids=lambda page: page.stem,
)
def test_the_code_prints_the_output_below_it(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # for the files that it reads and writes
    with own_modules(tmp_path):
        assert run_code(page)


def test_every_command_is_in_a_list() -> None:
    rules = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    made = {command for command in COMMANDS if command.startswith("make ")}
    assert made <= {f"make {rule}" for rule in rules}
    assert COMMANDS - made == {*RUN, *NOT_RUN}


def test_the_commands_that_make_train_shows_fit_a_terminal() -> None:
    words = "make", "--dry-run", "train", "VENV=.none"  # as long as the usual name
    shown = subprocess.run(words, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    lines = [line.removeprefix('echo "').removesuffix('"') for line in shown.splitlines()]
    assert len(lines) == 5 and max(map(len, lines)) <= 80


def test_the_readme_is_short_and_begins_with_the_two_commands() -> None:
    readme = ROOT / "README.md"
    assert len(readme.read_text(encoding="utf-8").split()) < 700
    first = next(text for language, text in blocks(readme) if language == "console")
    assert [line.split("#")[0].strip() for line in first.splitlines()] == [
        "make train",
        "make test",
    ]


@pytest.mark.parametrize("command", sorted(each for each in COMMANDS if each.startswith("mindup ")))
def test_the_command_has_its_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, *words = shlex.split(command)
    name = list(takewhile(lambda word: word.isalpha(), words))[:2]
    with pytest.raises(SystemExit):
        mindup_cli.main([*name, "--help"])
    shown = capsys.readouterr().out
    assert all(word in shown for word in words if word.startswith("--"))


@pytest.mark.slow
@pytest.mark.parametrize("command", RUN)
def test_the_command_works(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # for the files that it writes
    game = random_turns(Game(GameConfig(num_players=3), 1), 21)[-1]
    Path("FILE").write_text(json.dumps(game.record()))
    program, *words = shlex.split(f"{command} {RUN[command]}")
    with own_modules(tmp_path):
        if program == "mindup":
            assert mindup_cli.main(words) == 0
        else:  # python -m
            module = import_module(words[1])
            if "--half-precision" not in words:
                # The file takes most of a short training; tests/training writes it.
                monkeypatch.setattr(module, "save_policy", lambda *_, **__: None)
            module.main(words[2:])
