"""Files that are never half written, and folders in which one process writes at a time."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from mindup_env.runs.files import LOCK_NAME, lock_folder, remove_leftovers, write_text

posix = pytest.mark.skipif(os.name != "posix", reason="other systems keep no such modes")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_text_is_written_over_the_old(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    for text in ("old", "naïve ♣\n"):
        write_text(path, text)
        assert path.read_text(encoding="utf-8") == text
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("step", ["os.fsync", "pathlib.Path.replace"])
@pytest.mark.parametrize("failure", [OSError("disk full"), KeyboardInterrupt("stopped")], ids=repr)
def test_a_failed_write_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, failure: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise failure

    path = tmp_path / "game.json"
    write_text(path, "old")
    monkeypatch.setattr(step, fail)
    for target in (path, tmp_path / "new.json"):
        with pytest.raises(type(failure), match=str(failure)):
            write_text(target, "half of the new")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "this is no text: \ud800")
    assert list(tmp_path.iterdir()) == [path] and path.read_text(encoding="utf-8") == "old"


def test_a_full_disk_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill_disk(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", fill_disk)
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
@pytest.mark.parametrize(("umask", "expected"), [(0o022, 0o644), (0o027, 0o640)], ids=oct)
def test_a_new_file_follows_the_umask(tmp_path: Path, umask: int, expected: int) -> None:
    path = tmp_path / "game.json"
    before = os.umask(umask)
    try:
        write_text(path, "new")
    finally:
        os.umask(before)
    assert mode(path) == expected


@posix
@pytest.mark.parametrize("kept", [0o600, 0o666], ids=oct)
def test_an_existing_file_keeps_its_mode(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "game.json"
    path.write_text("old", encoding="utf-8")
    path.chmod(kept)
    write_text(path, "new")
    assert (mode(path), path.read_text(encoding="utf-8")) == (kept, "new")


# Locks

# Not with lock_folder: importing the package takes longer than the test.
HOLD = """
import fcntl, sys, time
file = open(sys.argv[1], "w")
fcntl.flock(file.fileno(), fcntl.LOCK_EX)
file.write(" process 7 on elsewhere"); file.flush()
print("locked", flush=True)
time.sleep(60)
"""


def test_a_folder_is_locked_once_and_no_file_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    for _ in range(2):
        with lock_folder(folder):
            expected = f"{folder} is in use by process {os.getpid()} on .*: wait until it ends"
            with pytest.raises(ValueError, match=expected), lock_folder(folder):
                pass
            assert [path.name for path in folder.iterdir()] == [LOCK_NAME]
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="the other process locks with fcntl")
def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    words = [sys.executable, "-c", HOLD, str(tmp_path / LOCK_NAME)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "locked\n"
        with pytest.raises(ValueError, match="process 7 on elsewhere"), lock_folder(tmp_path):
            pass
        process.kill()
        process.wait()
    assert (tmp_path / LOCK_NAME).exists()
    with lock_folder(tmp_path):
        assert str(os.getpid()) in (tmp_path / LOCK_NAME).read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="it locks in another way")
def test_a_file_system_without_locks_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", fail)
    with pytest.warns(UserWarning, match="without locks: make sure"), lock_folder(tmp_path):
        pass


def test_an_error_names_the_lock_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"file.run.\.lock"), lock_folder(tmp_path / "file" / "run"):
        pass
