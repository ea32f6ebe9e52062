"""A package imports only from those above it, and nothing imports in a circle."""

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = {
    "mindup_env": ROOT / "mindup_env",
    "mindup_agents": ROOT / "agents" / "mindup_agents",
    "mindup_play": ROOT / "agents" / "mindup_play",
    "mindup_arena": ROOT / "agents" / "mindup_arena",
    "mindup_training": ROOT / "training" / "mindup_training",
}
"""In the order of the layers: each imports only from itself and from those before it."""

CORE = [
    "checks",
    "files",
    "cards",
    "config",
    "engine",
    "game",
    "observation",
    "rewards",
    "batch_env",
    "cuda",
    "belief",
    "agent",
    "render",
    "open_spiel",
    "envs",
    "exact",
    "mindup_v0",
    "__init__",  # what `import mindup_env` offers
    "bench",
]
"""The layers of mindup_env, a folder or a module each, from the cards up to the command."""

HEAVY = {"matplotlib", "numba.cuda", "PIL", "pyspiel", "ray", "torch"}

Graph = Mapping[str, set[str]]


def find_modules() -> dict[str, Path]:
    """The files of the packages by the names under which they are imported."""
    found = {}
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join([package, *(part for part in parts if part != "__init__")])] = path
    return found


def imported_names(path: Path) -> Iterator[str]:
    """All that a file imports anywhere, in functions and for the type checker too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{name.name}" for name in node.names)


def import_graph(modules: Mapping[str, Path]) -> Graph:
    """For each module, the modules that it imports from."""
    graph: dict[str, set[str]] = {}
    for module, path in modules.items():
        graph[module] = set()
        for imported in imported_names(path):
            name = imported
            while name and name not in modules:
                name = name.rpartition(".")[0]
            if name and name != module:
                graph[module].add(name)
    return graph


def folder_of(module: str) -> str:
    """The folder of a package; a module beside them counts as a folder."""
    package, _, rest = module.partition(".")
    name = rest.partition(".")[0]
    return f"{package}.{name}" if name else f"{package}.__init__"


def by_folder(graph: Graph) -> Graph:
    folders: dict[str, set[str]] = {folder_of(module): set() for module in graph}
    for module, imported in graph.items():
        folders[folder_of(module)] |= {*map(folder_of, imported)} - {folder_of(module)}
    return folders


MODULES = find_modules()
GRAPH = import_graph(MODULES)


def test_a_module_imports_only_from_packages_above_its_own() -> None:
    order = list(PACKAGES)
    wrong = [
        f"{module} imports {name}"
        for module, names in GRAPH.items()
        for name in names
        if order.index(name.partition(".")[0]) > order.index(module.partition(".")[0])
    ]
    assert not wrong


@pytest.mark.parametrize("graph", [GRAPH, by_folder(GRAPH)], ids=["files", "folders"])
def test_nothing_imports_itself_by_way_of_others(graph: Graph) -> None:
    TopologicalSorter(graph).prepare()  # the CycleError names those along the circle


def test_the_core_imports_in_the_order_of_its_layers() -> None:
    for folder, imported in by_folder(GRAPH).items():
        package, _, name = folder.partition(".")
        if package == "mindup_env":
            for other in imported:
                assert CORE.index(other.partition(".")[2]) < CORE.index(name), f"{name}: {other}"


def test_nothing_heavy_is_loaded_by_an_import() -> None:
    """The packages in their order: each loads those before it anyway."""
    script = "".join(f"import {package}\n" for package in PACKAGES)
    script += "import sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(PACKAGES) <= set(loaded) and not HEAVY & set(loaded)
