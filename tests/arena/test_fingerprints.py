"""An arena is not resumed with bots that changed."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindup_arena.fingerprint import Fingerprints
from mindup_arena.own_source import own_files
from mindup_env import cli

BOT = "from mindup_agents.greedy import Greedy as Base\n\n\nclass Bot(Base):\n    "
WORDS = ["lowest", "--players", "2", "--rounds", "1", "--deals", "101", "--one-vs-field"]


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a package of bots and a module beside it, which is the current folder."""
    folder = tmp_path / "project"
    files = {
        "ownbots/__init__.py": "",
        "ownbots/first.py": f"from . import net\nfrom ownbots.sub.deep import X\n{BOT}pass\n",
        "ownbots/net.py": "import json\nfrom .other import Y\n",
        "ownbots/other.py": "Y = 1\n",
        "ownbots/unused.py": "",
        "ownbots/sub/__init__.py": "",
        "ownbots/sub/deep.py": "from .. import net\nX = net\n",
        "ownbots/sub/weights/w.bin": "",
        "ownbots/apart/__init__.py": "",
        "ownbots/apart/unused.bin": "",
        "alone.py": f"import beside, numpy\n{BOT}pass\n",
        "beside.py": "",
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


def hashes(bot: str) -> dict[str, str]:
    return dict(Fingerprints.of([bot]).bots[bot])


def test_a_bot_has_the_files_of_its_package_that_it_imports() -> None:
    assert [*hashes("ownbots.first:Bot")] == [
        "ownbots/__init__.py",
        "ownbots/first.py",
        "ownbots/net.py",
        "ownbots/other.py",
        "ownbots/sub/__init__.py",
        "ownbots/sub/deep.py",
        "ownbots/sub/weights/w.bin",
    ]
    assert [*hashes("alone:Bot")] == ["alone.py", "beside.py"]


def test_a_file_that_is_no_python_is_hashed_and_not_followed(project: Path) -> None:
    hashes("alone:Bot")
    (project / "beside.py").write_text("def broken(:\n")
    assert {*own_files("alone")} == {"alone.py", "beside.py"}


def test_a_champion_has_its_networks_and_the_code_that_it_shares() -> None:
    found = hashes("champion-2")
    assert {
        "mindup_agents/champion_2/bot.py",
        "mindup_agents/champion_2/4_players/value.safetensors",
        "mindup_agents/heuristics/planner_values.py",
    } <= {*found}
    assert "mindup_agents/champion_1/4_players.safetensors" not in found
    assert "mindup_agents/greedy.py" not in found


def test_files_and_folders_of_options_are_hashed() -> None:
    bot = "tests.arena.bots:Faulty:how="
    assert hashes(f"{bot}raise") == hashes(f"{bot}die"), "the options are not its files"
    more = {*hashes(f"{bot}unrelated.py")} - {*hashes(f"{bot}raise")}
    assert more == {"unrelated.py"}
    more = {*hashes(f"{bot}ownbots/sub")} - {*hashes(f"{bot}raise")}
    assert "ownbots/sub/weights/w.bin" in more


def test_the_program_and_the_files_of_a_command_are_hashed(project: Path) -> None:
    (project / "run.py").write_text(
        "from mindup_env.agent import RestOfSpec\n"
        f"{BOT}def __init__(self, config, command: RestOfSpec):\n        ...\n"
        "    @classmethod\n    def fingerprint_files(cls, command):\n        return ['beside.py']\n"
    )
    found = hashes("run:Bot:sh 'unrelated.py' --depth=3")
    assert {"unrelated.py", "beside.py", "run.py"} <= {*found}
    assert any(name.endswith("/sh") for name in found)
    assert {*hashes("run:Bot:sh 'open")} == {*found} - {"unrelated.py"} - {
        name for name in found if name.endswith("/sh")
    }


def test_only_a_class_method_names_files(project: Path) -> None:
    """A property has no value before the bot is made."""
    text = f"{BOT}@property\n    def fingerprint_files(self):\n        return ['beside.py']\n"
    (project / "alone.py").write_text(text)
    assert [*hashes("alone:Bot")] == ["alone.py"]


def without_a_chunk(folder: Path) -> None:
    (folder / "results" / "chunk-00001.json").unlink()


def resume(folder: Path, *words: str) -> int:
    for name in ("alone", "beside"):
        sys.modules.pop(name, None)
    return cli.main(["arena", "--resume", str(folder), *words])


def test_changed_bots_are_refused_or_both_are_in_the_report(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    assert cli.main(["arena", "alone:Bot", *WORDS, "--out", str(folder)]) == 0
    (project / "beside.py").write_text("X = 1")
    assert resume(folder) == 0, "nothing is missing"
    without_a_chunk(folder)
    kept = (folder / "fingerprints.json").read_bytes()
    assert resume(folder) == 2
    said = capsys.readouterr().err
    assert "(bot alone:Bot: beside.py has changed): start another with --out" in said
    assert (folder / "fingerprints.json").read_bytes() == kept
    assert resume(folder, "--accept-changed-bots") == 0
    assert "Bots or libraries changed during" in capsys.readouterr().out
    first, second = json.loads((folder / "report.json").read_text())["fingerprints"]
    assert first["bots"]["alone:Bot"] != second["bots"]["alone:Bot"]
    assert first["bots"]["lowest"] == second["bots"]["lowest"]
    without_a_chunk(folder)
    assert resume(folder) == 0, "they have not changed again"


def test_an_arena_without_fingerprints_is_resumed_with_a_note(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["arena", "alone:Bot", *WORDS, "--out", str(tmp_path / "out")]) == 0
    (tmp_path / "out" / "fingerprints.json").unlink()
    without_a_chunk(tmp_path / "out")
    assert resume(tmp_path / "out") == 0
    said = capsys.readouterr()
    assert "kept no fingerprints" in said.err and "not known with which versions" in said.out
    first, second = json.loads((tmp_path / "out" / "report.json").read_text())["fingerprints"]
    assert first is None and second["versions"].keys() == {"mindup-env", "numpy", "numba"}


def test_other_versions_and_lost_files_are_named() -> None:
    begun = Fingerprints({"numpy": "1", "numba": "2"}, {"a": {"x": "1", "y": "2"}})
    now = Fingerprints({"numpy": "3", "numba": "2"}, {"a": {"x": "1", "z": "2"}})
    assert begun.changes(now) == [
        "numpy was 1 and is 3",
        "bot a: y is gone",
        "bot a: z is new",
    ]
    assert begun.changes(begun) == []


@pytest.mark.parametrize(
    "damage",
    ["{", "{}", "[1]", '[{"versions": {}}]', '[{"versions": {}, "bots": {"a": {"b": 1}}}]'],
)
def test_damaged_fingerprints_name_their_file(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    words = ["random", *WORDS[:-2], "1"]
    assert cli.main(["arena", *words, "--out", str(folder)]) == 0
    (folder / "fingerprints.json").write_text(damage)
    assert resume(folder) == 2
    assert "fingerprints.json has no fingerprints: " in capsys.readouterr().err


def test_changed_bots_are_accepted_only_where_an_arena_is_resumed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["arena", "random", "lowest", "--accept-changed-bots"]) == 2
    assert "can only be combined with --resume" in capsys.readouterr().err
