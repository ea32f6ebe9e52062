"""Files of compiled code that are damaged, unreadable, or writable by others."""

import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

from mindup_env.engine import code_cache
from mindup_env.engine.code_cache import KernelCache
from mindup_env.engine.compiler import KERNEL_OPTIONS

ARGUMENT, ANSWER = 20, 41


def twice_and_one(number: int) -> int:
    return 2 * number + 1


def call_in_new_dispatcher(folder: Path) -> tuple[int, int]:
    """The answer, and how many signatures were found in the cache: as in a new process."""
    entry: Any = numba.njit(**KERNEL_OPTIONS)(twice_and_one)
    entry._cache = KernelCache(twice_and_one, folder)
    return entry(ARGUMENT), sum(entry.stats.cache_hits.values())


class Executed:
    """Its pickle runs a function."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("a file that cannot be trusted was unpickled",)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "code"
    assert code_cache.make_private_folder(folder)
    code_cache.warn_once.cache_clear()
    yield folder
    code_cache.warn_once.cache_clear()


@pytest.fixture
def file(folder: Path) -> Path:
    """The file with the code of the function."""
    assert call_in_new_dispatcher(folder) == (ANSWER, 0)
    (file,) = folder.iterdir()
    return file


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def execute(file: Path) -> None:
    file.write_bytes(pickle.dumps(Executed()))


@pytest.mark.parametrize("damage", [flip, execute, lambda file: os.truncate(file, 0)])
def test_a_damaged_file_is_replaced_with_one_warning(
    damage: Callable[[Path], None], file: Path
) -> None:
    damage(file)
    with pytest.warns(RuntimeWarning, match="is damaged; it is compiled again") as warned:
        assert call_in_new_dispatcher(file.parent) == (ANSWER, 0)
    assert len(warned) == 1
    assert call_in_new_dispatcher(file.parent) == (ANSWER, 1)


def test_a_file_that_cannot_be_read_or_replaced_is_done_without(file: Path) -> None:
    file.unlink()
    file.mkdir()
    with pytest.warns(RuntimeWarning, match="Is a directory") as warned:
        answers = [call_in_new_dispatcher(file.parent) for _ in range(2)]
    assert answers == [(ANSWER, 0)] * 2
    texts = sorted(str(each.message).partition(" compiled")[0] for each in warned)
    assert texts == ["cannot read", "cannot write"]


def test_a_full_disk_is_done_without(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.warns(RuntimeWarning, match="No space left on device") as warned:
        answers = [call_in_new_dispatcher(folder) for _ in range(2)]
    assert answers == [(ANSWER, 0)] * 2
    assert len(warned) == 1 and not list(folder.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="files have no owner and mode")
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_can_write_is_replaced(mode: int, file: Path) -> None:
    code_cache.write_checked(file, pickle.dumps(Executed()))
    file.chmod(mode)
    with pytest.warns(RuntimeWarning, match="others can write it") as warned:
        assert call_in_new_dispatcher(file.parent) == (ANSWER, 0)
    assert len(warned) == 1 and file.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name != "posix", reason="files have no owner and mode")
def test_a_folder_of_others_or_that_others_can_write_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700
    assert code_cache.make_private_folder(folder)
    for mode in (0o770, 0o702):
        folder.chmod(mode)
        assert not code_cache.make_private_folder(folder)
    folder.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert not code_cache.make_private_folder(folder)
