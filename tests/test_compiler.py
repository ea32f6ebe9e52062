"""The cache of compiled code: used when right, left when stale, done without where it must be."""

import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
import pytest

import mindup_env
from mindup_env.engine import bitset, compiler, kernels
from tests.rules.compiler_state import COMPILED
from tests.test_layers import MODULES, imported_names

PACKAGE = Path(mindup_env.__file__).parent

SCRIPT = """
from mindup_env import Game
from mindup_env.engine import kernels
game = Game(seed=7)
stats = kernels.deal_all.stats
print(game.hand(0), sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""

PREPARED = """
import sys
from mindup_env import Game
Game(seed=7)
print("numba.np.arraymath" in sys.modules)
"""
"""Whether Numba was prepared to compile."""

ALLOCATING = """
import sys
from pathlib import Path
import numba
import numpy as np
from mindup_env.engine.code_cache import KernelCache

def zeros(count):
    return np.zeros(count)

entry = numba.njit(zeros)
entry._cache = KernelCache(zeros, Path(sys.argv[1]))
print(entry(3).sum(), sum(entry.stats.cache_hits.values()))
"""


def deal_in_new_process(cache: Path, warnings: int = 0) -> tuple[str, int, int]:
    """A hand, and how often the dealing was found in the cache and how often not."""
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", SCRIPT],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.count("Warning") == warnings
    hand, hits, misses = done.stdout.rsplit(maxsplit=2)
    return hand, int(hits), int(misses)


def test_the_second_process_finds_what_the_first_compiled(tmp_path: Path) -> None:
    first = deal_in_new_process(tmp_path)
    second = deal_in_new_process(tmp_path)
    assert first == (second[0], 0, 1)
    assert second == (first[0], 1, 0)


def run_in_new_process(script: str, cache: Path) -> str:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script, str(cache)],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


def test_code_from_the_cache_is_loaded_without_preparing_numba_to_compile(tmp_path: Path) -> None:
    assert [run_in_new_process(PREPARED, tmp_path) for _ in range(2)] == ["True", "False"]


def test_code_that_needs_the_runtime_of_numba_is_loaded_with_it(tmp_path: Path) -> None:
    assert [run_in_new_process(ALLOCATING, tmp_path) for _ in range(2)] == ["0.0 0", "0.0 1"]


def test_without_a_writable_folder_it_works_uncached(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("a folder cannot be made below a file, not even by root")
    for _ in range(2):
        hand, hits, _ = deal_in_new_process(in_the_way, warnings=1)
        assert hand == str(mindup_env.Game(seed=7).hand(0))
        assert hits == 0


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    return Path(shutil.copytree(PACKAGE, tmp_path / "mindup_env"))


@pytest.mark.parametrize("edited", ["engine/bitset.py", "engine/state.py", "objectives.py"])
def test_an_edit_of_compiled_code_or_its_constants_changes_the_key(
    sources: Path, edited: str
) -> None:
    before = compiler.source_hash([sources])
    with (sources / edited).open("a") as file:
        file.write("# an edit\n")
    assert compiler.source_hash([sources]) != before


def test_an_edit_elsewhere_does_not(sources: Path) -> None:
    before = compiler.source_hash([sources])
    with (sources / "cli.py").open("a") as file:
        file.write("# an edit\n")
    assert compiler.source_hash([sources]) == before


def test_compiled_code_takes_constants_only_from_sources_in_the_key() -> None:
    in_key = set(compiler.compiled_sources(PACKAGE))
    decorator = "mindup_env.engine.compiler.compiled"
    compiled_modules = [path for path in in_key if decorator in set(imported_names(path))]
    assert len(compiled_modules) > 5
    for path in compiled_modules:
        for name in imported_names(path):
            source = MODULES.get(name) or MODULES.get(name.rpartition(".")[0])
            assert source is None or source in in_key, f"{path.name} imports {name}"


@pytest.mark.parametrize("setting", [("BOUNDSCHECK", 1), ("OPT", 0), ("DEBUGINFO_DEFAULT", 1)])
def test_a_setting_that_changes_the_code_changes_the_folder(
    setting: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = compiler.compiler_hash()
    monkeypatch.setattr(compiler._settings, *setting)
    assert compiler.compiler_hash() != before


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled, and nothing cached")
def test_a_function_with_values_of_an_enclosing_one_is_not_cached() -> None:
    answer = 42

    def answer_of_enclosing() -> int:
        return answer

    entry: Any = compiler.kernel(answer_of_enclosing)
    assert entry() == 42
    assert entry.stats.cache_path is None


def test_a_home_is_not_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def no_home() -> Path:
        raise RuntimeError

    monkeypatch.setattr(compiler._settings, "CACHE_DIR", "")
    monkeypatch.setattr(compiler, "make_private_folder", lambda _: False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    with pytest.warns(RuntimeWarning, match="NUMBA_CACHE_DIR sets another folder"):
        assert compiler.cache_folder.__wrapped__(("mindup_env",)) is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(compiler, "make_private_folder", lambda folder: tmp_path in folder.parents)
    assert compiler.cache_folder.__wrapped__(("mindup_env",)) is not None


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


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_part_of_the_rules_is_compiled_once_for_all_constants(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def add(number: int, constant: int) -> int:
        return number + constant

    def number_of_versions() -> int:
        part: Any = compiler.compiled(add)

        @compiler.kernel
        def add_constants(number: int) -> int:
            total: int = part(part(number, 1), 2)
            return total

        assert add_constants(39) == 42
        return len(part.signatures)

    assert number_of_versions() == 2
    monkeypatch.setattr(compiler, "_ONE_FOR_ALL_CONSTANTS", __name__)
    assert number_of_versions() == 1


def add_all(numbers: npt.NDArray[np.int64]) -> int:
    total = 0
    for number in numbers:
        total += number
    return total


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_loops_of_the_rules_become_no_vector_instructions() -> None:
    def code(options: dict[str, Any]) -> str:
        entry: Any = numba.njit(**options)(add_all)
        assert entry(np.arange(100)) == 4950
        (text,) = entry.inspect_llvm().values()
        return str(text)

    assert "vector.body" in code(compiler.KERNEL_OPTIONS)
    assert "vector.body" not in code(compiler._options_of(kernels.deal_all))


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_compiling_does_not_unfreeze_objects() -> None:
    @compiler.kernel
    def negative(number: int) -> int:
        return -number

    gc.freeze()
    try:
        assert negative(42) == -42
        assert gc.isenabled() and gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
