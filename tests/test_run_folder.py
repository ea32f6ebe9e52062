"""One folder for all runs that resume."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest

from mindup_env.runs.files import LOCK_NAME
from mindup_env.runs.fingerprints import Fingerprints
from mindup_env.runs.run_folder import RUN, RunFolder, kept_or_temporary

BEGUN = Fingerprints({"numpy": "2"}, {"greedy": {"greedy.py": "12"}})


@dataclass(frozen=True)
class Settings:
    seed: int = 0
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ValueError("seed must be at least 0")

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        return cls(**plain)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "new" / "run"
    with RunFolder.create(
        path, "arena", Settings(7), command="mindup arena --seed 7", fingerprints=BEGUN
    ):
        pass
    return path


def test_a_run_is_resumed_with_all_that_it_began_with(path: Path) -> None:
    with RunFolder.resume(path, "arena", Settings) as folder:
        assert (folder.settings, folder.command) == (Settings(7), "mindup arena --seed 7")
        assert folder.fingerprints == [BEGUN]
        folder.details["end"] = 5
        folder.write()
    assert RunFolder.read(path, "arena", Settings).details == {"end": 5}
    assert [each.name for each in path.iterdir()] == [RUN]
    assert folder.resume_command == f"mindup arena --resume {path}"


def test_a_folder_in_use_names_who_uses_it(path: Path) -> None:
    said = f"{path} is in use by process {os.getpid()} on "
    with RunFolder.resume(path, "arena", Settings):
        for open_again in (
            RunFolder.resume(path, "arena", Settings),
            RunFolder.create_or_resume(path, "arena", Settings(7)),
        ):
            with pytest.raises(ValueError, match=re.escape(said)), open_again:
                pass
    with RunFolder.create(path.with_name("other"), "arena", Settings()) as folder:
        (folder.path / RUN).unlink()
        again = RunFolder.create(folder.path, "arena", Settings())
        with pytest.raises(ValueError, match="other is in use by process"), again:
            pass


def test_the_same_settings_continue_a_run(path: Path) -> None:
    with RunFolder.create_or_resume(path, "arena", Settings(7, "new name")) as folder:
        assert folder.fingerprints == [BEGUN]
    assert RunFolder.read(path, "arena", Settings).settings.name == "new name"
    other = RunFolder.create_or_resume(path, "arena", Settings(8))
    with pytest.raises(ValueError, match="with other settings: choose another folder"), other:
        pass


def test_only_a_new_or_empty_folder_gets_a_new_run(path: Path, tmp_path: Path) -> None:
    said = f"{path} has a run already: resume it with --resume {path}, or give another"
    with pytest.raises(ValueError, match=re.escape(said)):
        RunFolder.create(path, "compare", Settings()).__enter__()
    (tmp_path / "file").write_text("")
    for taken in (tmp_path, tmp_path / "file"):
        with pytest.raises(ValueError, match="is no empty folder: give another one with --out"):
            RunFolder.create(taken, "arena", Settings()).__enter__()
    assert not (tmp_path / LOCK_NAME).exists()


def test_a_start_that_was_killed_leaves_a_folder_that_is_as_good_as_new(tmp_path: Path) -> None:
    for name in (LOCK_NAME, f".{RUN}.0123456789abcdef"):
        (tmp_path / name).write_text("{")
    with RunFolder.create(tmp_path, "arena", Settings()) as folder:
        assert {each.name for each in tmp_path.iterdir()} == {RUN, LOCK_NAME}
        leftover = folder.subfolder("results") / ".a.json.0123456789abcdef"
        leftover.write_text("")
        assert not [*folder.subfolder("results").iterdir()]


KILLED = """
import os, signal
from pathlib import Path
from mindup_env.runs.run_folder import RunFolder
from tests.test_run_folder import Settings
with RunFolder.create(Path("run"), "arena", Settings(3)):
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGKILL")
def test_a_killed_run_is_resumed(tmp_path: Path) -> None:
    root = Path(__file__).parent.parent
    subprocess.run(
        [sys.executable, "-c", KILLED],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        check=False,
    )
    path = tmp_path / "run"
    assert {each.name for each in path.iterdir()} == {RUN, LOCK_NAME}
    with RunFolder.resume(path, "arena", Settings) as folder:
        assert folder.settings == Settings(3)


def test_a_folder_of_another_kind_or_of_none_is_refused(path: Path, tmp_path: Path) -> None:
    said = f"has a run of mindup arena, not of mindup compare: mindup arena --resume {path}"
    with pytest.raises(ValueError, match=re.escape(said)):
        RunFolder.resume(path, "compare", Settings).__enter__()
    for nowhere in (tmp_path / "nowhere", path / RUN):
        with pytest.raises(ValueError, match=r"no run of mindup arena .* has no run\.json"):
            RunFolder.resume(nowhere, "arena", Settings).__enter__()
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: "",
        lambda _: "[" * 100_000,
        lambda _: "[]",
        lambda plain: json.dumps({**plain, "more": 3}),
        lambda plain: json.dumps({**plain, "settings": 3}),
        lambda plain: json.dumps({**plain, "settings": {"seed": -1}}),
        lambda plain: json.dumps({**plain, "fingerprints": [{"a": 1}]}),
    ],
)
def test_a_damaged_description_says_what_to_do(damage: Any, path: Path) -> None:
    file = path / RUN
    file.write_text(damage(json.loads(file.read_text())))
    with pytest.raises(ValueError, match=r"run\.json does not describe a run \(.*: restore"):
        RunFolder.resume(path, "arena", Settings).__enter__()


def test_an_interruption_says_how_to_go_on(path: Path) -> None:
    for error, notes in (
        (KeyboardInterrupt(), [f"to resume: mindup arena --resume {path}"]),
        (OSError("disk full"), [f"to resume: mindup arena --resume {path}"]),
        (ValueError("wrong"), []),
    ):
        with (
            pytest.raises(type(error)) as found,
            RunFolder.resume(path, "arena", Settings),
        ):
            raise error
        assert getattr(found.value, "__notes__", []) == notes
    run = RunFolder.resume(path, "arena", Settings)
    run.__enter__()
    (path / RUN).unlink()
    stopped = KeyboardInterrupt()
    assert not run.__exit__(KeyboardInterrupt, stopped, None)
    assert stopped.__notes__ == ["start mindup arena again"]


@pytest.mark.parametrize(("error", "kept"), [(None, 0), (ValueError(), 0), (OSError(), 1)])
def test_a_temporary_folder_is_kept_only_for_an_interrupted_run(
    error: Exception | None, kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def work(path: Path | None) -> None:
        with kept_or_temporary(path, "arena"):
            if error is not None:
                raise error

    for path in (None, tmp_path):
        if error is None:
            work(path)
            continue
        with pytest.raises(type(error)):
            work(path)
    assert len([*tmp_path.iterdir()]) == kept


def test_changes_of_versions_and_files_are_named() -> None:
    begun = Fingerprints({"numpy": "1", "numba": "2"}, {"a": {"x": "1", "y": "2"}})
    now = Fingerprints({"numpy": "3", "numba": "2"}, {"a": {"x": "1", "z": "2"}, "b": {"x": "1"}})
    expected = ["numpy was 1 and is 3", "a: y is gone", "a: z is new", "b: x is new"]
    assert begun.changes(now) == expected
    assert begun.changes(begun) == []
