"""An arena that is resumed has the results of one that was not, and the same bots."""

import json
import multiprocessing
import os
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from mindup_arena import run, workers
from mindup_arena.chunk import PlayedChunk
from mindup_arena.settings import ArenaSettings
from mindup_env import cli
from tests.arena.reports import play_here

BOTS = ["tests.arena.bots:Salted:salt=1", "tests.arena.bots:Salted:salt=2"]
GAME = ["--players", "2", "--rounds", "1", "--deals", "350", "--seed", "5"]
CHUNKS = 4


def rank(*words: object) -> int:
    return cli.main(["arena", "rank", *map(str, words)])


def results(folder: Path) -> dict[str, bytes]:
    """The files that are the same in every run; ``run.json`` has the command."""
    files = [*(folder / "results").glob("*.json"), *folder.glob("report.json")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unbroken") / "arena"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "play_in_processes", play_here)
        assert rank(*BOTS, *GAME, "--out", folder, "--csv", folder.with_suffix(".csv")) == 0
    assert len(results(folder)) == CHUNKS + 1
    return folder


def test_two_workers_play_as_one_does(unbroken: Path, tmp_path: Path) -> None:
    assert rank(*BOTS, *GAME, "--out", tmp_path, "--workers", 2) == 0
    assert results(tmp_path) == results(unbroken)


def test_a_stopped_arena_is_resumed(
    unbroken: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupted(*given: Any) -> Iterator[PlayedChunk]:
        yield from islice(play_here(*given), 2)
        raise KeyboardInterrupt

    folder = tmp_path / "arena"
    monkeypatch.setattr(run, "play_in_processes", interrupted)
    assert rank(*BOTS, *GAME, "--out", folder) == cli.INTERRUPTED
    assert f"to resume: mindup arena rank --resume {folder}" in capsys.readouterr().err
    assert len(results(folder)) == 2
    monkeypatch.setattr(run, "play_in_processes", play_here)
    assert rank("--resume", folder, "--csv", tmp_path / "arena.csv") == 0
    assert results(folder) == results(unbroken)
    assert (tmp_path / "arena.csv").read_bytes() == unbroken.with_suffix(".csv").read_bytes()


def test_a_worker_ends_with_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a call that does not return: the system closes the parent's end by any end."""
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    theirs, ours = multiprocessing.Pipe(duplex=False)
    ours.close()
    workers._end_after(theirs)
    assert ended == [1]


# Bots that changed

BOT = "from mindup_agents.baselines import Greedy as Base\n\n\nclass Bot(Base):\n    "
WORDS = ["lowest", "--players", "2", "--rounds", "1", "--deals", "101", "--one-vs-field"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a package of bots and a module beside it, which is the current folder."""
    folder = tmp_path / "project"
    files = {
        "ownbots/__init__.py": "from ownbots.first import Bot\n",
        "ownbots/first.py": f"{BOT}pass\n",
        "ownbots/weights/w.bin": "",
        "alone.py": f"{BOT}pass\n",
        "unrelated.py": "",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    for name in [name for name in sys.modules if name.split(".")[0] in {"ownbots", "alone"}]:
        del sys.modules[name]


def hash_of(bot: str) -> str:
    return ArenaSettings((bot, "random")).check_bots()[bot]


@pytest.mark.parametrize(
    ("bot", "file", "matters"),
    [
        ("ownbots:Bot", "ownbots/first.py", True),
        ("ownbots.first:Bot", "ownbots/__init__.py", True),
        ("ownbots:Bot", "ownbots/weights/w.bin", True),
        ("ownbots:Bot", "alone.py", False),
        ("alone:Bot", "alone.py", True),
        ("alone:Bot", "unrelated.py", False),
        ("tests.arena.bots:Faulty:how=unrelated.py", "unrelated.py", True),
        ("tests.arena.bots:Faulty:how=ownbots/weights", "ownbots/weights/w.bin", True),
        ("greedy", "unrelated.py", False),
    ],
)
def test_a_bot_changes_with_its_files(bot: str, file: str, project: Path, *, matters: bool) -> None:
    before = hash_of(bot)
    (project / file).write_text((project / file).read_text() + "# more")
    assert (hash_of(bot) != before) == matters


def test_changed_bots_are_refused(
    project: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run, "play_in_processes", play_here)
    folder = tmp_path / "out"
    assert rank("alone:Bot", *WORDS, "--out", folder) == 0
    found = json.loads((folder / "report.json").read_text())["fingerprints"]
    assert found.keys() == {"mindup-env", "numpy", "numba", "alone:Bot", "lowest"}
    (project / "alone.py").write_text(f"{BOT}x = 1\n")
    sys.modules.pop("alone")
    assert rank("--resume", folder) == 0, "nothing is missing"
    (folder / "results" / "chunk-00001.json").unlink()
    kept = (folder / "run.json").read_bytes()
    capsys.readouterr()
    assert rank("--resume", folder) == 2
    said = f"alone:Bot changed since the arena in {folder} began, and its results must not mix"
    assert said in capsys.readouterr().err
    assert (folder / "run.json").read_bytes() == kept
