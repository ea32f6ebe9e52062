"""The files of a bot's own package that its module imports, found without running them."""

import ast
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

_INSTALLED = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib", "stdlib")}


def own_files(module: str) -> dict[str, Path]:
    """The files that a module consists of, by their paths in the folder of its package.

    These are the module, all that it imports of its own package, directly or through others, and
    the other files in the folders of these packages, such as networks. A module that is no part
    of a package has the modules beside it as its own, unless it is installed among others.
    """
    path = getattr(sys.modules.get(module), "__file__", None)
    if path is None:
        return {}  # it was typed at a prompt
    start = Path(path)
    if start.suffix != ".py":
        return {start.name: start}
    depth = module.count(".") + (start.name == "__init__.py")
    root = start.parents[depth]
    waiting, found = [*_with_parents(module)], dict[str, Path]()
    while waiting:
        name = waiting.pop()
        source = _source_of(name, root)
        if name in found or source is None or not _is_own(name, module, start, root):
            continue
        found[name] = source
        waiting += _imported(name, source)
    files = {start, *found.values()}
    files |= {
        each for source in files if source.name == "__init__.py" for each in _data(source.parent)
    }
    return {each.relative_to(root).as_posix(): each for each in sorted(files)}


def _is_own(name: str, module: str, start: Path, root: Path) -> bool:
    first, _, _ = module.partition(".")
    if name.partition(".")[0] == first:
        return True
    return start == root / f"{first}.py" and root.resolve() not in _INSTALLED


def _source_of(name: str, root: Path) -> Path | None:
    path = root.joinpath(*name.split("."))
    for source in (path / "__init__.py", path.with_suffix(".py")):
        if source.is_file():
            return source
    return None


def _imported(module: str, source: Path) -> Iterator[str]:
    """The names of all modules that a file may import, with the packages that they are in."""
    package = module if source.name == "__init__.py" else module.rpartition(".")[0]
    try:
        tree = ast.parse(source.read_bytes())
    except (SyntaxError, ValueError):
        return  # the bot can be made without this file
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _with_parents(alias.name)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*(above if node.level else []), *filter(None, [node.module])])
            for alias in node.names:
                yield from _with_parents(f"{base}.{alias.name}" if base else alias.name)


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        yield ".".join(parts[:end])


def _data(package: Path) -> Iterator[Path]:
    """The files in the folder of a package that are no source, without those of other packages."""
    for path in package.iterdir():
        if path.is_dir() and path.name != "__pycache__" and not (path / "__init__.py").exists():
            yield from _data(path)
        elif path.is_file() and path.suffix != ".py":
            yield path
