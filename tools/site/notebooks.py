"""Execute a notebook and write it as a page: python -m tools.site.notebooks NOTEBOOK FOLDER."""

import argparse
import base64
import re
import tempfile
from itertools import groupby
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

_CELL_TIMEOUT = 300  # seconds; the first cells may have to compile the rules
_ANSI_CODE = re.compile(r"\x1b\[[0-9;]*m")


def execute(path: Path) -> NotebookNode:
    """Runs the cells of a notebook in an empty folder."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        return NotebookClient(notebook, timeout=_CELL_TIMEOUT, resources=resources).execute()


def to_markdown(notebook: NotebookNode, name: str) -> tuple[str, dict[str, bytes]]:
    """The text of a page with all outputs, and the pictures beside it, by their file names."""
    blocks: list[str] = []
    pictures: dict[str, bytes] = {}
    heading = name
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            blocks.append(cell.source)
            heading = (re.findall(r"^#+ (.*)$", cell.source, re.MULTILINE) or [heading])[-1]
            continue
        blocks.append(_fenced("python", cell.source))
        for png, outputs in groupby(cell.outputs, key=_png):
            if png:
                picture = f"{name}-{len(pictures) + 1}.png"
                pictures[picture] = base64.b64decode(png)
                blocks.append(f"![{heading}]({picture})")
            else:
                text = "\n".join(_text(output).rstrip() for output in outputs)
                blocks.append(_fenced("text", text))
    return "\n\n".join(blocks) + "\n", pictures


def _png(output: NotebookNode) -> str:
    """The picture that an output shows, or an empty string."""
    return str(output.get("data", {}).get("image/png", ""))


def _text(output: NotebookNode) -> str:
    text = output.text if output.output_type == "stream" else output.data["text/plain"]
    return _ANSI_CODE.sub("", text)


def _fenced(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebook", type=Path)
    parser.add_argument("folder", type=Path, help="for the page and its pictures")
    arguments = parser.parse_args()
    page, pictures = to_markdown(execute(arguments.notebook), arguments.notebook.stem)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        (arguments.folder / name).write_bytes(picture)
    (arguments.folder / f"{arguments.notebook.stem}.md").write_text(page, encoding="utf-8")
