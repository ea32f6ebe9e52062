"""Files that are never half written, folders with one writer at a time, and runs that resume."""

import errno
import json
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mindup_env.runs.files import LOCK_NAME, lock_folder, remove_leftovers, write_text
from mindup_env.runs.run_folder import RUN, RunFolder, kept_or_temporary
from mindup_env.settings.declaration import option, settings

posix = pytest.mark.skipif(os.name != "posix", reason="other systems have other modes and locks")


def fail_with(number: int) -> Any:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
@pytest.mark.parametrize("failure", [OSError("disk full"), KeyboardInterrupt("stopped")], ids=repr)
def test_a_failed_write_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, failure: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise failure

    path = tmp_path / "game.json"
    for text in ("old", "naïve ♣\n"):
        write_text(path, text)
    monkeypatch.setattr(step, fail)
    for target in (path, tmp_path / "new.json"):
        with pytest.raises(type(failure), match=str(failure)):
            write_text(target, "half of the new")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "this is no text: \ud800")
    assert [*tmp_path.iterdir()] == [path] and path.read_text(encoding="utf-8") == "naïve ♣\n"


def test_a_full_disk_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", fail_with(errno.ENOSPC))
    with pytest.raises(OSError, match="No space") as found:
        write_text(tmp_path / "game.json", "new")
    assert found.value.filename == str(tmp_path / "game.json")
    assert not list(tmp_path.iterdir())


def test_only_leftovers_of_atomic_writes_are_removed(tmp_path: Path) -> None:
    (tmp_path / ".game.json.0123456789abcdef").write_text("half")
    kept = ["game.json", ".game.json", ".game.json.0123", "game.json.0123456789abcdef"]
    for name in kept:
        (tmp_path / name).write_text("of the user")
    remove_leftovers(tmp_path)
    remove_leftovers(tmp_path / "nowhere")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)


@posix
def test_a_new_file_follows_the_umask_and_an_old_one_keeps_its_mode(tmp_path: Path) -> None:
    for umask, mode, kept in ((0o022, 0o644, 0o600), (0o027, 0o640, 0o666)):
        path = tmp_path / oct(umask)
        before = os.umask(umask)
        try:
            write_text(path, "new")
            assert stat.S_IMODE(path.stat().st_mode) == mode
            path.chmod(kept)
            write_text(path, "newer")
            assert stat.S_IMODE(path.stat().st_mode) == kept
        finally:
            os.umask(before)


# Locks


def test_a_folder_is_locked_once_and_no_file_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    for _ in range(2):
        with lock_folder(folder):
            expected = f"{folder} is in use by another process: wait until it ends"
            with pytest.raises(ValueError, match=expected), lock_folder(folder):
                pass
            assert [path.name for path in folder.iterdir()] == [LOCK_NAME]
    assert list(folder.iterdir()) == []
    folder.rmdir()
    folder.touch()
    with pytest.raises(OSError, match=r"run.run.\.lock"), lock_folder(folder / "run"):
        pass


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    (tmp_path / LOCK_NAME).touch()  # what it leaves
    with lock_folder(tmp_path):
        assert (tmp_path / LOCK_NAME).exists()


# Runs

BEGUN = {"deals": 12}


@settings
class Settings:
    seed: int = option("random seed", default=0, low=0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "new" / "run"
    with RunFolder.create(
        path, "arena", Settings(7), command="mindup arena rank --seed 7", details=BEGUN
    ):
        pass
    return path


def test_a_run_is_resumed_with_all_that_it_began_with(path: Path) -> None:
    with RunFolder.resume(path, "arena", Settings) as folder:
        assert (folder.settings, folder.command) == (Settings(7), "mindup arena rank --seed 7")
        assert folder.details == BEGUN
    assert [each.name for each in path.iterdir()] == [RUN]
    assert folder.resume_command == f"mindup arena rank --resume {path}"


def test_the_same_settings_continue_a_run(path: Path) -> None:
    with RunFolder.create_or_resume(path, "arena", Settings(7), details={}) as folder:
        assert folder.details == BEGUN


def test_a_start_that_was_killed_leaves_a_folder_that_is_as_good_as_new(tmp_path: Path) -> None:
    for name in (LOCK_NAME, f".{RUN}.0123456789abcdef"):
        (tmp_path / name).write_text("{")
    with RunFolder.create(tmp_path, "arena", Settings()):
        assert {each.name for each in tmp_path.iterdir()} == {RUN, LOCK_NAME}


def test_another_run_or_another_folder_is_refused(path: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere, own = tmp_path / "nowhere", f"{path} has a run of mindup arena rank"
    exists = f"{path} has a run already: resume it with --resume {path}, or give another"
    for run, said in (
        (RunFolder.create_or_resume(path, "arena", Settings(8)), f"{own} with other settings"),
        (RunFolder.create(path, "benchmark", Settings()), exists),
        (RunFolder.create(tmp_path, "arena", Settings()), "is no empty folder: give another one"),
        (RunFolder.create(tmp_path / "file", "arena", Settings()), "is no empty folder: give"),
        (RunFolder.create(tmp_path / "file" / "run", "arena", Settings()), "cannot write"),
        (
            RunFolder.resume(path, "benchmark", Settings),
            f"{own}, not of mindup benchmark run: mindup arena rank --resume {path}",
        ),
        (RunFolder.resume(nowhere, "arena", Settings), f"in {nowhere}: it has no run.json"),
        (RunFolder.resume(path / RUN, "arena", Settings), "it has no run.json"),
    ):
        with pytest.raises(ValueError, match=re.escape(said)), run:
            pass
    with lock_folder(path), lock_folder(nowhere):
        for run in (
            RunFolder.resume(path, "arena", Settings),
            RunFolder.create(nowhere, "arena", Settings()),
        ):
            with pytest.raises(ValueError, match="is in use by another process"), run:
                pass
    nowhere.rmdir()
    assert {each.name for each in tmp_path.iterdir()} == {"new", "file"}


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: "",
        lambda _: "[]",
        lambda plain: json.dumps({**plain, "more": 3}),
        lambda plain: json.dumps({**plain, "settings": {"seed": -1}}),
    ],
)
def test_a_damaged_description_says_what_to_do(damage: Any, path: Path) -> None:
    file = path / RUN
    file.write_text(damage(json.loads(file.read_text())))
    with pytest.raises(ValueError, match=r"run\.json does not describe a run \(.*: restore"):
        RunFolder.resume(path, "arena", Settings).__enter__()


def test_an_interruption_says_how_to_go_on(path: Path) -> None:
    def interrupt(error: BaseException, *, begun: bool) -> None:
        with RunFolder.resume(path, "arena", Settings):
            if not begun:
                (path / RUN).unlink()
            raise error

    advice = [f"to resume: mindup arena rank --resume {path}"]
    for error, begun, notes in (
        (ValueError("wrong"), True, []),
        (OSError("disk full"), True, advice),
        (KeyboardInterrupt(), True, advice),
        (KeyboardInterrupt(), False, ["start mindup arena rank again"]),
    ):
        with pytest.raises(type(error)) as found:
            interrupt(error, begun=begun)
        assert getattr(found.value, "__notes__", []) == notes


@pytest.mark.parametrize(("error", "kept"), [(None, 0), (ValueError(), 0), (OSError(), 1)])
def test_a_temporary_folder_is_kept_only_for_an_interrupted_run(
    error: Exception | None, kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with suppress(OSError, ValueError), kept_or_temporary(None, "arena"):
        if error is not None:
            raise error
    assert len([*tmp_path.iterdir()]) == kept
