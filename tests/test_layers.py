"""A package imports only from those above it, and nothing imports in a circle."""

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

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
    "settings",
    "threads",
    "cards",
    "objectives",
    "config",
    "engine",
    "game",
    "observation",
    "rewards",
    "text",
    "batch_env",
    "cuda",
    "belief",
    "agent",
    "runs",
    "report",
    "render",
    "open_spiel",
    "textarena",
    "envs",
    "torchrl",
    "mindup_v0",
    "__init__",  # what `import mindup_env` offers
    "cli",
    "bench",
]
"""The layers of mindup_env, a folder or a module each, from the cards up to the command."""

HEAVY = {
    *("matplotlib", "mlflow", "numba.cuda", "pygame", "pyspiel", "ray", "tensordict"),
    *("textarena", "torch", "torchrl", "wandb"),
}

Graph = Mapping[str, set[str]]


def find_modules(packages: Mapping[str, Path]) -> dict[str, Path]:
    """The files of packages by the names under which they are imported."""
    found = {}
    for package, folder in packages.items():
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


def by_folder(graph: Graph, modules: Mapping[str, Path]) -> Graph:
    """The graph of the folders of each package; a module beside them counts as a folder."""

    def unit(module: str) -> str:
        package, _, rest = module.partition(".")
        name = rest.partition(".")[0]
        return f"{package}.{name}" if name else f"{package}.__init__"

    folders: dict[str, set[str]] = {unit(module): set() for module in modules}
    for module, imported in graph.items():
        folders[unit(module)] |= {unit(name) for name in imported} - {unit(module)}
    return folders


def circle(graph: Graph) -> list[str]:
    """The names along a circle of imports; none if there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        names: list[str] = error.args[1]
        return names
    return []


MODULES = find_modules(PACKAGES)
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


def test_no_file_imports_itself_by_way_of_others() -> None:
    assert not circle(GRAPH)


def test_no_folder_imports_itself_by_way_of_others() -> None:
    assert not circle(by_folder(GRAPH, MODULES))


def test_the_core_imports_in_the_order_of_its_layers() -> None:
    for folder, imported in by_folder(GRAPH, MODULES).items():
        package, _, name = folder.partition(".")
        if package == "mindup_env":
            for other in imported:
                assert CORE.index(other.partition(".")[2]) < CORE.index(name), f"{name}: {other}"


def test_circles_are_found(tmp_path: Path) -> None:
    """Of files that import each other for the type checker alone, and of folders."""
    sources = {
        "game/game.py": "from core.game.text import draw",
        "game/text.py": "if TYPE_CHECKING:\n    from core.game.game import Game",
        "heuristics/model.py": "from core.greedy import formula",
        "heuristics/odds.py": "",
        "greedy.py": "from core.heuristics.odds import odds",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    modules = find_modules({"core": tmp_path})
    graph = import_graph(modules)
    assert {"core.game.game", "core.game.text"} == set(circle(graph))
    graph["core.game.text"].clear()
    assert not circle(graph)
    assert {"core.greedy", "core.heuristics"} == set(circle(by_folder(graph, modules)))


def test_nothing_heavy_is_loaded_by_an_import() -> None:
    """The packages in their order: each loads those before it anyway."""
    script = "".join(f"import {package}\n" for package in PACKAGES)
    script += "import mindup_training.command, mindup_training.bench\n"
    script += "import sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(PACKAGES) <= set(loaded) and not HEAVY & set(loaded)
