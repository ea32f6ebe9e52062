"""The folder of a run: one process writes to it, and damage is refused in words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mindup_env.runs.folder_lock import lock_folder
from mindup_training.run_folder import RunFolder, make_folder, new_run, open_run
from mindup_training.settings import TrainSettings

SETTINGS = TrainSettings(threads=1)
WORDS = ["train", "--preset", "quick"]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return RunFolder.create(tmp_path / "a run", SETTINGS, WORDS).path


def test_a_run_that_is_being_written_is_refused(run: Path, tmp_path: Path) -> None:
    with open_run(run), pytest.raises(ValueError, match="is in use by process"), open_run(run):
        pass
    with (
        new_run(tmp_path / "new", SETTINGS, WORDS),
        pytest.raises(ValueError, match="is in use by process"),
        open_run(tmp_path / "new"),
    ):
        pass
    with (
        lock_folder(tmp_path / "other"),  # by a process that has not made its run yet
        pytest.raises(ValueError, match="is in use by process"),
        new_run(tmp_path / "other", SETTINGS, WORDS),
    ):
        pass


def test_leftovers_of_killed_processes_are_removed(run: Path, tmp_path: Path) -> None:
    unfinished = tmp_path / "unfinished"
    for folder in (unfinished, run, run / "checkpoints", run / "snapshots"):
        folder.mkdir(exist_ok=True)
        (folder / ".policy.safetensors.0123456789abcdef").write_text("half")
        (folder / ".lock").write_text("process 1 on here")
    (run / ".own.notes").write_text("of the user")
    with open_run(run), new_run(unfinished, SETTINGS, WORDS):
        pass
    hidden = [path.name for path in tmp_path.rglob(".*") if path.parent.name not in (
        "checkpoints", "snapshots")]  # fmt: skip
    assert hidden == [".own.notes"]
    assert not list(run.rglob("*.0123456789abcdef"))


def test_where_there_is_no_run_no_folder_is_made(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no training run in"), open_run(tmp_path / "nowhere"):
        pass
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="already exists"):
        RunFolder.create(tmp_path / "file", SETTINGS, WORDS)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_interrupt_says_how_to_resume(run: Path) -> None:
    with pytest.raises(KeyboardInterrupt) as found, open_run(run):
        raise KeyboardInterrupt
    assert found.value.__notes__ == [f"to resume: mindup train --resume '{run}'"]
    with open_run(run) as folder:
        (run / "run.json").unlink()
        assert folder.how_to_go_on() == f"there is no run in {run} any more: start it again"


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda _: "", "Expecting value"),
        (lambda _: "[" * 100_000, "recursion"),
        (lambda _: "\ud800", "surrogates"),
        (lambda plain: json.dumps({**plain, "command": 3}), "command must be the text"),
        (lambda plain: json.dumps({**plain, "command": "mindup"}), "command must be the text"),
        (lambda plain: json.dumps({**plain, "command": "mindup 'x"}), "No closing quotation"),
        (lambda plain: json.dumps({**plain, "versions": [1]}), "versions must be a dict"),
        (lambda plain: json.dumps({**plain, "settings": 1}), "settings must be a dict"),
    ],
)
def test_a_damaged_description_is_named(
    run: Path, damage: Callable[[dict[str, Any]], str], said: str
) -> None:
    path = run / "run.json"
    path.write_bytes(damage(json.loads(path.read_text())).encode("utf-8", "surrogatepass"))
    with pytest.raises(ValueError, match=r"run\.json does not describe a run: ") as found:
        RunFolder.open(run)
    assert said in str(found.value) or said == "surrogates"


def test_two_starts_at_once_have_folders_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [make_folder("quick", SETTINGS).name for _ in range(3)]
    assert names == ["quick-4p-seed0", "quick-4p-seed0-2", "quick-4p-seed0-3"]
