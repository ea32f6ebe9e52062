"""The pages of the documents, their fenced blocks, and the modules that they have the code of."""

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import ROOT
from tools.tables import PAGES as DOCUMENTATION

PAGES = [
    *DOCUMENTATION,
    *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "notebooks/README.md")),
]
OWN_MODULES = {"mybot": ("quickstart", "class Bot:")}
"""The page of each module, and what only its code has."""


def blocks(page: Path) -> list[tuple[str, str]]:
    """Language and text of every fenced block."""
    return re.findall(r"```(\w*)\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def needs_gpu(code: str) -> bool:
    return "CudaBatchEnv" in code


def run_code(page: Path, *, on_a_gpu: bool = False) -> int:
    """Runs the Python code of a page, that for a GPU or all other.

    Compares what it prints with the block below it, and returns the number of such blocks.
    """
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed, compared = None, 0
    for language, text in blocks(page):
        if language == "python":
            printed = None
            if needs_gpu(text) == on_a_gpu:
                with contextlib.redirect_stdout(io.StringIO()) as output:
                    exec(text, namespace)  # noqa: S102  # our own pages
                printed = output.getvalue()
        elif language == "text" and printed is not None:
            assert printed == text
            compared += 1
    return compared


@contextmanager
def own_modules(folder: Path) -> Iterator[None]:
    """The modules that pages have the code of are files of a folder, and then forgotten."""
    for name, (page, mark) in OWN_MODULES.items():
        (code,) = [text for _, text in blocks(ROOT / "docs" / f"{page}.md") if mark in text]
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    try:
        yield
    finally:
        for name in OWN_MODULES:
            sys.modules.pop(name, None)
