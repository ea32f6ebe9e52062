"""An arena that is resumed has the results of one that was not, and the same bots."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mindup_arena import ArenaSettings
from mindup_arena import run as arena_run
from mindup_env import cli
from tests.arena.reports import play_here
from tests.processes import MINDUP, ROOT

BOTS = ["tests.arena.bots:Salted:salt=1,pause=0.01", "tests.arena.bots:Salted:salt=2"]
GAME = ["--players", "2", "--rounds", "1", "--deals", "350", "--seed", "5"]
CHUNKS = 4
PATIENCE = 300
"""Seconds, many times as long as an arena takes."""


def start(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-c", MINDUP, "arena", "rank", *map(str, words)],
        cwd=ROOT,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What it prints until it ends; one that hangs fails with what its threads are doing."""
    try:
        return process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGABRT)
        pytest.fail("it hangs:\n" + "\n".join(process.communicate()))


def run(*words: object) -> str:
    with start(*words) as process:
        printed, errors = finished(process)
    assert process.returncode == 0, errors
    return printed


def results(folder: Path) -> dict[str, bytes]:
    """The files that are the same in every run; ``run.json`` has the command."""
    files = [*(folder / "results").glob("*.json"), *folder.glob("report.json")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unbroken") / "arena"
    run(*BOTS, *GAME, "--out", folder, "--csv", folder.with_suffix(".csv"))
    assert len(results(folder)) == CHUNKS + 1
    return folder


def test_two_workers_play_as_one_does(unbroken: Path, tmp_path: Path) -> None:
    run(*BOTS, *GAME, "--out", tmp_path, "--workers", 2)
    assert results(tmp_path) == results(unbroken)


@pytest.mark.parametrize(("kept", "how"), [(2, "KILL"), (1, "INT")])
def test_a_stopped_arena_is_resumed(kept: int, how: str, unbroken: Path, tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    with start(*BOTS, *GAME, "--out", folder) as process:
        deadline = time.monotonic() + PATIENCE
        while not (folder / "run.json").exists() or len(results(folder)) < kept:
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.fail("\n".join(finished(process)))
            time.sleep(0.005)
        if how == "INT":
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        else:
            process.kill()
        _, errors = finished(process)
    assert kept <= len(results(folder)) < CHUNKS, "it was not stopped before the end"
    if how == "INT":
        assert process.returncode == 130
        assert f"to resume: mindup arena rank --resume {folder}" in errors
        assert "Traceback" not in errors
    run("--resume", folder, "--csv", tmp_path / "arena.csv")
    assert results(folder) == results(unbroken)
    assert (tmp_path / "arena.csv").read_bytes() == unbroken.with_suffix(".csv").read_bytes()


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found in /proc")
def test_workers_end_with_a_killed_arena(tmp_path: Path) -> None:
    """Also one whose bot hangs, and so never looks whether the arena is still there."""
    hangs = "tests.arena.bots:Faulty:how=sleep"
    with start(hangs, BOTS[1], *GAME, "--workers", 2, "--out", tmp_path) as process:
        while len(group(process.pid)) < 3:
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.5)
        process.kill()
        process.wait()
        deadline = time.monotonic() + 20
        while left := group(process.pid):
            assert time.monotonic() < deadline, left
            time.sleep(0.01)


def group(number: int) -> list[str]:
    """The commands of the living processes of a group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            command, _, rest = stat.read_text().partition(") ")
            state, _, group_number, *_ = rest.split()
            if int(group_number) == number and state != "Z":
                found.append(command)
    return found


# Bots that changed

BOT = "from mindup_agents.greedy import Greedy as Base\n\n\nclass Bot(Base):\n    "
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
    for name in [name for name in sys.modules if name.split(".")[0] in {"ownbots", "alone", "run"}]:
        del sys.modules[name]


def hashes(bot: str) -> dict[str, str]:
    bots = ArenaSettings((bot, "random")).check_bots().files
    return dict(bots[bot])


OWN = sorted(path.relative_to(ROOT).as_posix() for path in Path(__file__).parent.glob("*.py"))
PACKAGE = ["ownbots/__init__.py", "ownbots/first.py", "ownbots/weights/w.bin"]


@pytest.mark.parametrize(
    ("bot", "files"),
    [
        ("ownbots:Bot", PACKAGE),
        ("ownbots.first:Bot", PACKAGE),
        ("alone:Bot", ["alone.py"]),
        ("greedy", ["mindup_agents/greedy.py"]),
        ("tests.arena.bots:Faulty:how=raise", OWN),
        ("tests.arena.bots:Faulty:how=unrelated.py", [*OWN, "unrelated.py"]),
        ("tests.arena.bots:Faulty:how=ownbots/weights", ["ownbots/weights/w.bin", *OWN]),
    ],
)
@pytest.mark.usefixtures("project")
def test_a_bot_has_its_files(bot: str, files: list[str]) -> None:
    assert [*hashes(bot)] == files


def test_a_bot_with_a_folder_of_its_own_has_that_folder() -> None:
    found = hashes("champion-2")
    assert "mindup_agents/champion_2/4_players/value.safetensors" in found
    assert {name.split("/")[1] for name in found} == {"champion_2"}


def test_the_program_and_the_files_of_a_command_are_hashed(project: Path) -> None:
    (project / "run.py").write_text(
        "from mindup_env.agent import RestOfSpec\n"
        f"{BOT}def __init__(self, config, command: RestOfSpec):\n        ...\n"
        "    @classmethod\n    def fingerprint_files(cls, command):\n        return ['alone.py']\n"
    )
    found = {*hashes("run:Bot:sh 'unrelated.py' --depth=3")}
    (shell,) = (name for name in found if name.endswith("/sh"))
    assert {"unrelated.py", "alone.py", "run.py"} <= found
    assert {*hashes("run:Bot:sh 'open")} == found - {"unrelated.py", shell}


def test_only_a_class_method_names_files(project: Path) -> None:
    """A property has no value before the bot is made."""
    text = f"{BOT}@property\n    def fingerprint_files(self):\n        return ['unrelated.py']\n"
    (project / "alone.py").write_text(text)
    assert [*hashes("alone:Bot")] == ["alone.py"]


def test_changed_bots_are_refused_or_both_are_in_the_report(
    project: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arena_run, "play_in_processes", play_here)
    folder = tmp_path / "out"

    def resume(*words: str, without: str = "1") -> int:
        (folder / "results" / f"chunk-0000{without}.json").unlink(missing_ok=True)
        sys.modules.pop("alone", None)
        return cli.main(["arena", "rank", "--resume", str(folder), *words])

    assert cli.main(["arena", "rank", "alone:Bot", *WORDS, "--out", str(folder)]) == 0
    (project / "alone.py").write_text(f"{BOT}x = 1\n")
    assert resume(without="none") == 0, "nothing is missing"
    kept = (folder / "run.json").read_bytes()
    assert resume() == 2
    said = capsys.readouterr().err
    assert "(alone:Bot: alone.py has changed): start another with --out" in said
    assert (folder / "run.json").read_bytes() == kept
    assert resume("--accept-changed-bots") == 0
    assert "Bots or libraries changed during" in capsys.readouterr().out
    first, second = json.loads((folder / "report.json").read_text())["fingerprints"]
    assert first["bots"]["alone:Bot"] != second["bots"]["alone:Bot"]
    assert first["bots"]["lowest"] == second["bots"]["lowest"]
    assert first["versions"].keys() == {"mindup-env", "numpy", "numba"}
    assert resume() == 0, "they have not changed again"
