"""A module imports only from layers above its own; nothing heavy is loaded before it is used."""

import ast
import subprocess
import sys
from collections.abc import Iterator
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

# From the cards down to the command; a folder is one layer, and may import within itself.
LAYERS = [
    "mindup_env.checks",
    "mindup_env.files",
    "mindup_env.extras",
    "mindup_env.options",
    "mindup_env.cards",
    "mindup_env.objectives",
    "mindup_env.config",
    "mindup_env.engine",
    "mindup_env.game",
    "mindup_env.observation",
    "mindup_env.rewards",
    "mindup_env.batch_env",
    "mindup_env.belief",
    "mindup_env.render",
    "mindup_env.agent",
    "mindup_env.random_agent",
    "mindup_env.open_spiel",
    "mindup_env.envs",
    "mindup_env.mindup_v0",
    "mindup_env",  # what `import mindup_env` offers
    "mindup_env.cli",
    "mindup_env.bench",
    "mindup_env.doctor",
    "mindup_agents",
    "mindup_play",
    "mindup_arena",
    "mindup_training",
]
HEAVY = {"matplotlib", "pygame", "pyspiel", "ray", "torch"}


def modules() -> Iterator[tuple[str, Path]]:
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            yield ".".join([package, *(part for part in parts if part != "__init__")]), path


def imported(path: Path) -> Iterator[str]:
    """What a file imports when it runs; imports for the type checker alone do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{name.name}" for name in node.names)


def layer(name: str) -> int:
    """The place of the layer that ``name``, a module or something in it, belongs to."""
    while name not in LAYERS:
        name = name.rpartition(".")[0]
    return LAYERS.index(name)


@pytest.mark.parametrize(("module", "path"), list(modules()), ids=dict(modules()))
def test_a_module_imports_only_from_above(module: str, path: Path) -> None:
    own = [name for name in imported(path) if name.partition(".")[0] in PACKAGES]
    for name in own:
        assert layer(name) <= layer(module), f"{module} imports {name} from below"


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_heavy_is_loaded_by_an_import(package: str) -> None:
    script = f"import {package}, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert package in loaded
    assert not HEAVY & set(loaded)
