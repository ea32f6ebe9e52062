"""The cache of compiled code: used when right, left when stale, done without where it must be."""

import ast
import gc
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
import pytest

import mindup_env
from mindup_env.engine import bitset, code_cache, compiler, kernels
from tests.test_layers import MODULES, PACKAGES

DECORATORS = {
    f"{compiler.__name__}.{name}" for name in ("called", "compiled", "kernel", "outlined")
}

DEALING = """
import sys
from mindup_env import Game
from mindup_env.engine import kernels
game = Game(seed=7)
stats = kernels.deal_all.stats
counts = stats.cache_hits, stats.cache_misses
print(game.hand(0), *(sum(each.values()) for each in counts), "numba.np.arraymath" in sys.modules)
"""
"""Prints a hand, how often the dealing was found in the cache and how often not, and whether Numba
was prepared to compile."""

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


def run_in_new_process(script: str, cache: Path, warnings: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", script, str(cache)],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache), "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.count("Warning") == warnings
    return done.stdout.strip()


def test_the_second_process_finds_what_the_first_compiled(tmp_path: Path) -> None:
    hand = mindup_env.Game(seed=7).hand(0)
    assert run_in_new_process(DEALING, tmp_path) == f"{hand} 0 1 True"
    assert run_in_new_process(DEALING, tmp_path) == f"{hand} 1 0 False", "nothing is prepared"


def test_code_that_needs_the_runtime_of_numba_is_loaded_with_it(tmp_path: Path) -> None:
    assert [run_in_new_process(ALLOCATING, tmp_path) for _ in range(2)] == ["0.0 0", "0.0 1"]


def test_without_a_writable_folder_it_works_uncached(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("a folder cannot be made below a file, not even by root")
    said = run_in_new_process(DEALING, in_the_way, warnings=1)
    assert said.startswith(f"{mindup_env.Game(seed=7).hand(0)} 0 ")


def test_the_key_covers_all_that_compiled_code_comes_from() -> None:
    """Whatever a compiled function uses: in its own module, and in those that this one imports."""
    in_key = {
        path
        for package in compiler.OWN_SOURCES
        for path in compiler.compiled_sources(package, PACKAGES[package])
    }
    sources = CompiledSources()
    assert len(sources.decorated) > 20, "functions that the compiler takes are not found"
    assert {"mindup_env.cards", "mindup_env.objectives"} < sources.used, "they have constants"
    for module in sources.decorated | sources.used:
        assert MODULES[module] in in_key, f"{module} is not in OWN_SOURCES"


class CompiledSources:
    """The modules with compiled functions, and those that have what such functions use.

    From each function that the compiler takes, the names in it are followed: to definitions in
    its module, to what these use, and into other modules of ours.
    """

    # They refuse what is wrong and return the rest as it is.
    PASSED = ("mindup_env.checks",)

    def __init__(self) -> None:
        self.decorated: set[str] = set()
        self.used: set[str] = set()
        self._followed: set[tuple[str, str]] = set()
        for module in MODULES:
            imported, defined = definitions(module)
            decorators = {name for name, origin in imported.items() if origin in DECORATORS}
            for name, nodes in defined.items():
                if any(decorators & names_in(node) for node in nodes):
                    self.decorated.add(module)
                    self._follow(module, name)

    def _follow(self, module: str, name: str) -> None:
        if (module, name) in self._followed or module.startswith(self.PASSED):
            return
        self._followed.add((module, name))
        self.used.add(module)
        imported, defined = definitions(module)
        for used in {name} | {used for node in defined.get(name, ()) for used in names_in(node)}:
            first, _, attribute = used.partition(".")
            if first in imported:
                self._follow_import(f"{imported[first]}.{attribute}".rstrip("."))
            elif first in defined:
                self._follow(module, first)

    def _follow_import(self, path: str) -> None:
        module, _, name = path.rpartition(".")
        while module and module not in MODULES:
            module, _, name = module.rpartition(".")
        if module:
            self._follow(module, name)


@cache
def definitions(module: str) -> tuple[dict[str, str], dict[str, list[ast.stmt]]]:
    """The origin of each name that a module imports, and the statements that define its others."""
    imported: dict[str, str] = {}
    defined: dict[str, list[ast.stmt]] = defaultdict(list)
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {each.asname or each.name: each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported |= {
                each.asname or each.name: f"{node.module}.{each.name}" for each in node.names
            }
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            defined[statement.name].append(statement)
        else:
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    defined[node.id].append(statement)
    return imported, defined


def names_in(node: ast.AST) -> set[str]:
    """The names that are read in a part of a program, and each ``name.attribute``."""
    names = set()
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            names.add(each.id)
        elif isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
            names.add(f"{each.value.id}.{each.attr}")
    return names


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package, of whose sources the hash is computed."""
    folder = Path(shutil.copytree(PACKAGES["mindup_env"], tmp_path / "mindup_env"))
    monkeypatch.setattr(mindup_env, "__path__", [str(folder)])
    return folder


def hash_changes(edited: Path, package: str) -> bool:
    before = compiler.source_hash([package])
    with edited.open("a") as file:
        file.write("# an edit\n")
    return compiler.source_hash([package]) != before


def test_edits_of_compiled_code_or_its_constants_change_the_key(sources: Path) -> None:
    for edited in ("engine/bitset.py", "objectives.py"):
        assert hash_changes(sources / edited, "mindup_env")
    assert not hash_changes(sources / "files.py", "mindup_env")


def test_nothing_is_cached_where_a_source_is_missing(sources: Path) -> None:
    (sources / "cards.py").unlink()
    code_cache.warn_once.cache_clear()
    with pytest.warns(RuntimeWarning, match=r"there is no .*cards\.py"):
        assert compiler.cache_folder.__wrapped__(("mindup_env",)) is None


def test_any_file_of_another_package_changes_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deeper").mkdir()
    package = ModuleType("bots")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "bots", package)
    assert hash_changes(tmp_path / "deeper" / "constants.py", "bots")


def test_a_function_is_found_again_after_a_later_layer_was_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiler, "_packages", ["mindup_env", "mindup_training", "bots"])
    assert compiler._packages_below("mindup_env") == ("mindup_env",)
    assert compiler._packages_below("mindup_training") == ("mindup_env", "mindup_training")
    assert compiler._packages_below("bots") == ("mindup_env", "mindup_training", "bots")


def test_a_setting_that_changes_the_code_changes_the_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = compiler.compiler_hash()
    monkeypatch.setattr(compiler._settings, "BOUNDSCHECK", 1)
    assert compiler.compiler_hash() != before


def test_a_function_with_values_of_an_enclosing_one_is_not_cached() -> None:
    answer = 42

    def answer_of_enclosing() -> int:
        return answer

    entry: Any = compiler.kernel(answer_of_enclosing)
    assert entry() == 42
    assert entry.stats.cache_path is None


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


def test_loops_of_the_rules_become_no_vector_instructions() -> None:
    def code(options: dict[str, Any]) -> str:
        entry: Any = numba.njit(**options)(add_all)
        assert entry(np.arange(100)) == 4950
        (text,) = entry.inspect_llvm().values()
        return str(text)

    assert "vector.body" in code(compiler.KERNEL_OPTIONS)
    assert "vector.body" not in code(compiler._options_of(kernels.deal_all))


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
