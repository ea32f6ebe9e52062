"""An arena is not resumed with bots that changed."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindup_arena import ArenaSettings
from mindup_env import cli

BOT = "from mindup_agents.greedy import Greedy as Base\n\n\nclass Bot(Base):\n    "
WORDS = ["lowest", "--players", "2", "--rounds", "1", "--deals", "101", "--one-vs-field"]


@pytest.fixture(autouse=True)
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


PACKAGE = ["ownbots/__init__.py", "ownbots/first.py", "ownbots/weights/w.bin"]


@pytest.mark.parametrize(
    ("bot", "files"),
    [
        ("ownbots:Bot", PACKAGE),
        ("ownbots.first:Bot", PACKAGE),
        ("alone:Bot", ["alone.py"]),
        ("greedy", ["mindup_agents/greedy.py"]),
    ],
)
def test_a_bot_has_its_module_or_all_files_of_its_package(bot: str, files: list[str]) -> None:
    assert [*hashes(bot)] == files


def test_a_bot_with_a_folder_of_its_own_has_that_folder() -> None:
    found = hashes("champion-2")
    own = {f"mindup_agents/champion_2/{name}" for name in ("bot.py", "4_players/value.safetensors")}
    assert own <= {*found}
    assert {name.split("/")[1] for name in found} == {"champion_2"}


def test_files_and_folders_of_options_are_hashed() -> None:
    bot = "tests.arena.bots:Faulty:how="
    assert hashes(f"{bot}raise") == hashes(f"{bot}die"), "the options are not its files"
    more = {*hashes(f"{bot}unrelated.py")} - {*hashes(f"{bot}raise")}
    assert more == {"unrelated.py"}
    more = {*hashes(f"{bot}ownbots/weights")} - {*hashes(f"{bot}raise")}
    assert more == {"ownbots/weights/w.bin"}


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


def without_a_chunk(folder: Path) -> None:
    (folder / "results" / "chunk-00001.json").unlink()


def resume(folder: Path, *words: str) -> int:
    sys.modules.pop("alone", None)
    return cli.main(["arena", "--resume", str(folder), *words])


def test_changed_bots_are_refused_or_both_are_in_the_report(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    assert cli.main(["arena", "alone:Bot", *WORDS, "--out", str(folder)]) == 0
    (project / "alone.py").write_text(f"{BOT}x = 1\n")
    assert resume(folder) == 0, "nothing is missing"
    without_a_chunk(folder)
    kept = (folder / "run.json").read_bytes()
    assert resume(folder) == 2
    said = capsys.readouterr().err
    assert "(alone:Bot: alone.py has changed): start another with --out" in said
    assert (folder / "run.json").read_bytes() == kept
    assert resume(folder, "--accept-changed-bots") == 0
    assert "Bots or libraries changed during" in capsys.readouterr().out
    first, second = json.loads((folder / "report.json").read_text())["fingerprints"]
    assert first["bots"]["alone:Bot"] != second["bots"]["alone:Bot"]
    assert first["bots"]["lowest"] == second["bots"]["lowest"]
    assert first["versions"].keys() == {"mindup-env", "numpy", "numba"}
    without_a_chunk(folder)
    assert resume(folder) == 0, "they have not changed again"
