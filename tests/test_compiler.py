"""Compiled code: loaded again until a source changes, and what the compiler makes of functions."""

import gc
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
import pytest
from numba.core.caching import NullCache
from numba.core.codegen import CPUCodegen
from numba.core.dispatcher import Dispatcher

import mindup_env
from mindup_agents.baselines import choose_by_formula
from mindup_agents.heuristics.card_values import best_card
from mindup_env.engine import bitset, code_cache, compiler, kernels

DEALING = """
import sys
from mindup_env import Game
from mindup_env.engine import kernels
hand, stats = Game(seed=7).hand(0), kernels.deal_all.__wrapped__.stats
counts = stats.cache_hits, stats.cache_misses
print(hand, *(sum(each.values()) for each in counts), "numba.np.arraymath" in sys.modules)
"""
"""Prints a hand, how often the dealing was found on disk and how often not, and whether Numba was
prepared to compile."""


def deal_in_new_process(cache: Path, warnings: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", DEALING],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (
        done.stderr.count("only this user must be able to write")
        == done.stderr.count("Warning")
        == warnings
    )
    return done.stdout.strip()


def test_the_second_process_finds_what_the_first_compiled(tmp_path: Path) -> None:
    hand = mindup_env.Game(seed=7).hand(0)
    assert deal_in_new_process(tmp_path) == f"{hand} 0 1 True"
    assert deal_in_new_process(tmp_path) == f"{hand} 1 0 False", "nothing is prepared"


def test_without_a_folder_to_write_to_every_process_compiles(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("a folder cannot be made below a file, not even by root")
    told = deal_in_new_process(in_the_way, warnings=1)
    assert told == f"{mindup_env.Game(seed=7).hand(0)} 0 1 True"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where compiled code is kept."""
    monkeypatch.setattr(code_cache._settings, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(code_cache, "cache_folder", code_cache.cache_folder.__wrapped__)
    return tmp_path / "cache"


@pytest.mark.parametrize("end", [0, 1, 1000, -1])
def test_a_damaged_file_is_compiled_once_more(end: int, cache: Path) -> None:
    def compile_anew() -> tuple[int, int]:
        entry: Any = compiler.kernel(add_all)
        assert entry(np.arange(100)) == 4950
        return sum(entry.stats.cache_hits.values()), sum(entry.stats.cache_misses.values())

    assert compile_anew() == (0, 1)
    (file,) = cache.glob("*/*")
    file.write_bytes(file.read_bytes()[:end])
    assert (compile_anew(), compile_anew()) == ((0, 1), (1, 0))


def test_another_processor_gets_other_code(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, processor in enumerate(["a", "b", "a"]):
        monkeypatch.setattr(CPUCodegen, "magic_tuple", lambda _, processor=processor: (processor,))
        assert compiler.kernel(add_all)(np.arange(100)) == 4950
        assert len([*cache.glob("*/*")]) == min(number + 1, 2)


@pytest.mark.parametrize("problem", ["No space left on device", "Read-only file system"])
def test_a_folder_that_takes_no_file_is_no_error_and_is_told(
    problem: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise OSError(1, problem)

    monkeypatch.setattr(code_cache, "atomic_write", refuse)
    with pytest.warns(RuntimeWarning, match=f"compiles again: {cache}/mindup-.*: {problem}; NUMBA"):
        assert compiler.kernel(add_all)(np.arange(100)) == 4950
    assert [[*folder.iterdir()] for folder in cache.iterdir()] == [[]]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders have no owner and mode")
@pytest.mark.usefixtures("cache")
def test_no_code_is_loaded_from_a_folder_that_others_can_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = code_cache.cache_folder(("mindup_env",))
    assert folder is not None and folder.stat().st_mode & 0o777 == 0o700
    for mode, user in ((0o770, 0), (0o702, 0), (0o700, 1)):
        folder.chmod(mode)
        monkeypatch.setattr(os, "geteuid", lambda user=user: os.getuid() + user)
        with pytest.warns(RuntimeWarning, match=f"only this user .* to {folder.parent}"):
            assert code_cache.cache_folder(("mindup_env",)) is None


@pytest.mark.usefixtures("cache")
def test_an_edit_in_a_package_and_a_setting_change_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = ModuleType("bots")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "bots", package)
    assert code_cache.cache_folder(("bots",)) is None, "without sources"
    folders = set()
    (tmp_path / "deeper").mkdir()
    for source in "LIMIT = 1", "LIMIT = 2":
        (tmp_path / "deeper" / "constants.py").write_text(source)
        folders.add(code_cache.cache_folder(("bots",)))
    monkeypatch.setattr(code_cache._settings, "BOUNDSCHECK", 1)
    folders.add(code_cache.cache_folder(("bots",)))
    folders.add(code_cache.cache_folder(("bots", "mindup_env")))
    assert len(folders) == 4 and None not in folders


def test_the_packages_of_a_kernel_are_those_of_what_it_calls() -> None:
    deal: Any = kernels.deal_all
    choose: Any = choose_by_formula
    assert code_cache.packages_of(deal.__wrapped__.py_func) == ("mindup_env",)
    assert code_cache.packages_of(choose.py_func) == ("mindup_agents", "mindup_env")
    here = code_cache.packages_of(test_a_folder_that_takes_no_file_is_no_error_and_is_told)
    assert isinstance(best_card, Dispatcher), "a function that is imported here"
    assert here == ("mindup_agents", "mindup_env", "tests")


def test_a_kernel_with_values_of_an_enclosing_function_is_not_kept(cache: Path) -> None:
    answer = 42

    @compiler.kernel
    def answer_of_enclosing() -> int:
        return answer

    assert answer_of_enclosing() == 42 and not cache.exists()


class Pair(NamedTuple):
    counts: npt.NDArray[np.int64]  # (64,)
    step: int


@compiler.kernel
def count_members(pair: tuple[Any, ...], members: int) -> None:
    made_here = Pair(*pair)
    while members != 0:
        made_here.counts[bitset.lowest(members)] += made_here.step
        members &= members - 1


def test_what_is_written_by_way_of_a_named_tuple_arrives() -> None:
    """It did not while Numba itself inlined ``lowest``: it took the array for unused."""
    counts = np.zeros(64, np.int64)
    count_members((counts, 2), 0b1001)
    assert counts[:5].tolist() == [2, 0, 0, 2, 0]


def test_garbage_is_collected_after_a_compilation_that_fails() -> None:
    @compiler.kernel
    def undefined() -> None:
        _ = no_such_name  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(numba.TypingError, match="no_such_name"):
        undefined()
    assert gc.isenabled()


def test_a_part_is_compiled_once_for_all_constants() -> None:
    @compiler.compiled
    def add(number: int, constant: int) -> int:
        return number + constant

    @compiler.kernel
    def add_constants(number: int) -> int:
        return add(add(number, 1), 2)

    part: Any = add
    assert add_constants(39) == 42 and len(part.signatures) == 1


def add_all(numbers: npt.NDArray[np.int64]) -> int:
    total = 0
    for number in numbers:
        total += number
    return total


def test_only_a_scalar_kernel_has_no_vector_instructions() -> None:
    for decorate, has_vectors in (compiler.kernel, True), (compiler.scalar_kernel, False):
        entry: Any = decorate(add_all)
        entry._cache = NullCache()  # the code of what was loaded cannot be read
        assert entry(np.arange(100)) == 4950
        assert ("vector.body" in next(iter(entry.inspect_llvm().values()))) == has_vectors
