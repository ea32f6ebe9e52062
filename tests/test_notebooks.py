"""The notebooks run from the first cell to the last, and are kept with their pictures."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SECONDS = 300  # for a cell, which may have to compile first


def read(path: Path) -> NotebookNode:
    notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    return notebook


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_writes_to_temporary_folders_alone(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here := tmp_path / "here").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    # Other tests need the cores too, and threads that wait for each other take many times as long.
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    notebook = read(path)
    NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(here)}}).execute()
    shown = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert not [output for output in shown if output.get("name") == "stderr"]
    assert not [output for output in shown if "Warning" in str(output.get("data"))]
    assert any("image/png" in output.get("data", {}) for output in shown)
    assert not list(here.iterdir())


def test_of_outputs_pictures_alone_are_kept() -> None:
    for cell in (cell for path in NOTEBOOKS for cell in code_cells(read(path))):
        assert cell.execution_count is None and cell.metadata == {}
        for output in cell.outputs:
            assert [*output.data] == ["image/png"] and len(output.data["image/png"]) < 200_000
