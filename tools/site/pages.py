"""Gather the pages of the site: python -m tools.site.pages NOTEBOOKS FOLDER.

The pages are those of the navigation in zensical.toml and all that they link to. They keep their
places in the repository, so a link that works between files of the repository works in the site.
A linked source file or folder becomes a page that shows it.
"""

import argparse
import posixpath
import re
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from mindup_arena.benchmark.board import read_board
from mindup_arena.benchmark.board_page import write_board
from tools import ROOT, tracked_files
from tools.tables.reports import benchmark_results

LEADERBOARD = "<!-- page: leaderboard -->"
"""A comment in the repository, where the page is not, and a link in the site."""

_LINK_OR_BLOCK = re.compile(
    r"^(`{3,}).*?^\1$|(?<=\]\()(?!\w+:|#)(?P<path>[^)#\s]+)(?P<anchor>#[^)\s]*)?(?=\))",
    re.DOTALL | re.MULTILINE,
)
_LANGUAGES = {
    **{f".{name}": name for name in ("cpp", "css", "html", "js", "json", "py", "toml")},
    ".cff": "yaml",
    ".csv": "text",
    ".txt": "text",
}
"""Of the files that become pages, by their suffix."""
_NOT_SEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"


class Repository:
    """The tracked files of a project; every path is a string that starts at the root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = tracked_files(root)
        parents = (parent for file in self.files for parent in PurePosixPath(file).parents)
        self.folders = {str(parent) for parent in parents} - {"."}

    def resolve(self, path: str) -> str:
        """The path of the tracked file or folder that a link to ``path`` opens."""
        if path in self.folders:
            readme = posixpath.join(path, "README.md")
            return readme if readme in self.files else path
        if path not in self.files:
            raise ValueError(f"{path} is not a tracked file or folder")
        return path

    def page_of(self, path: str) -> str:
        """The path of the page, or of the copied file, that shows a file or folder."""
        if path in self.folders:
            return posixpath.join(path, "index.md")
        stem, suffix = posixpath.splitext(path)
        if suffix == ".ipynb":
            return f"{stem}.md"
        return f"{path}.md" if suffix in _LANGUAGES else path

    def text_of(self, path: str) -> str | None:
        """The Markdown of the page for ``path``; None for a file that is copied as it is."""
        suffix = posixpath.splitext(path)[1]
        if path in self.folders:
            inside = (each.removeprefix(f"{path}/") for each in self.files)
            names = {name.partition("/")[0] for name in inside if f"{path}/{name}" in self.files}
            shown = "\n".join(f"- [`{name}`]({name})" for name in sorted(names))
        elif suffix == ".md" or suffix in _LANGUAGES:
            shown = (self.root / path).read_text(encoding="utf-8")
            if suffix == ".md":
                return shown
            shown = f"````{_LANGUAGES[suffix]}\n{shown.rstrip()}\n````"
        else:
            return None
        return f"{_NOT_SEARCHED}# `{path}`\n\n{shown}\n"


def gather(repository: Repository, start: Iterable[str], target: Path) -> set[str]:
    """Writes the pages for ``start`` and for all that they link to; returns the gathered paths.

    The pages of notebooks must be in ``target`` already.
    """
    waiting, gathered = [*start], set[str]()
    while waiting:
        if (path := repository.resolve(waiting.pop())) in gathered:
            continue
        gathered.add(path)
        if path.endswith(".ipynb"):
            continue
        page = target / repository.page_of(path)
        page.parent.mkdir(parents=True, exist_ok=True)
        text = repository.text_of(path)
        if text is None:
            shutil.copyfile(repository.root / path, page)
            continue
        text, linked = with_links_to_pages(text, path, repository)
        page.write_text(text, encoding="utf-8")
        waiting += linked
    return gathered


def with_links_to_pages(text: str, path: str, repository: Repository) -> tuple[str, list[str]]:
    """The text with each link to a file led to the page that shows it, and the linked paths."""
    folder = posixpath.dirname(repository.page_of(path))
    linked: list[str] = []

    def to_page(link: re.Match[str]) -> str:
        if not link["path"]:
            return link[0]  # a fenced block, in which nothing is a link
        wanted = posixpath.normpath(posixpath.join(folder, link["path"]))
        try:
            linked.append(repository.resolve(wanted))
        except ValueError as error:
            raise ValueError(f"{path}: broken link {link[0]}: {error}") from None
        page = repository.page_of(linked[-1])
        return posixpath.relpath(page, folder or ".") + (link["anchor"] or "")

    return _LINK_OR_BLOCK.sub(to_page, text), linked


def pages_of_navigation(entries: list[object]) -> Iterator[str]:
    """The pages of a ``nav`` list: paths, and tables of a title and a path or a deeper list."""
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        elif isinstance(entry, list):
            yield from pages_of_navigation(entry)
        elif isinstance(entry, dict):
            yield from pages_of_navigation([*entry.values()])


def add_leaderboard(page: Path) -> None:
    """Writes the leaderboard beside the page of the benchmark, and leads this page to it."""
    board = page.parent / "leaderboard" / "board.html"
    board.parent.mkdir(exist_ok=True)
    write_board(board, read_board(benchmark_results()))
    text = page.read_text(encoding="utf-8")
    if text.count(LEADERBOARD) != 1:
        raise ValueError(f"{page.name} must have the line {LEADERBOARD} once")
    address = board.relative_to(page.parent).as_posix()
    link = f"[The leaderboard]({address}), with cross tables, costs and recorded games."
    page.write_text(text.replace(LEADERBOARD, link), encoding="utf-8")


def main(notebooks: Path, target: Path) -> None:
    settings = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))
    repository = Repository(ROOT)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(notebooks, target / "notebooks")
    shutil.copyfile(Path(__file__).with_name("site.css"), target / "site.css")
    start = [
        path if path in repository.files else path.removesuffix(".md") + ".ipynb"
        for path in pages_of_navigation(settings["project"]["nav"])
    ]
    gathered = gather(repository, start, target)
    documents = {path for path in repository.files if re.fullmatch(r"docs/.*\.md", path)}
    if missing := documents - gathered:
        raise ValueError(f"no page links to {', '.join(sorted(missing))}")
    add_leaderboard(target / "docs" / "benchmark.md")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", type=Path, help="the folder with the pages of the notebooks")
    parser.add_argument("target", type=Path, help="the folder to write, which is emptied first")
    arguments = parser.parse_args()
    try:
        main(arguments.notebooks, arguments.target)
    except ValueError as error:
        sys.exit(str(error))
