"""One process at a time writes to a folder, and a dead one does not keep it."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mindup_env.runs.files import LOCK_NAME, lock_folder

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
