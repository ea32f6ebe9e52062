"""Files that are never half written, and folders of runs."""

import errno
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from mindup_env.files import write_text
from mindup_training.run import RUN, check_unused, unused_folder

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


def test_only_a_new_or_empty_folder_is_unused(tmp_path: Path) -> None:
    for unused in tmp_path, tmp_path / "new":
        check_unused(unused)
    (tmp_path / "file").write_text("")
    for used in tmp_path, tmp_path / "file":
        with pytest.raises(ValueError, match="is no empty folder: give another one"):
            check_unused(used)
    (tmp_path / RUN).write_text("{}")
    with pytest.raises(ValueError, match="has a run already: resume it with --resume "):
        check_unused(tmp_path)


def test_an_unused_folder_has_the_next_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in "runs/a", "runs/a-2", "runs/a-3":
        assert unused_folder("a") == Path(name)
        Path(name).mkdir(parents=True)
