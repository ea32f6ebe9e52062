"""The source tree that CONTRIBUTING.md shows is what one finds, and no part outgrows its size."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ("mindup_env", "agents", "training", "tools", "tests")
ROW = re.compile(r"^\| `([^`]+)/` \| ([\d,]+) \|", re.MULTILINE)
SIZES = {
    folder: int(lines.replace(",", ""))
    for folder, lines in ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
}


def code_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.suffix in {".py", ".js"}]


def num_lines(folder: str) -> int:
    """The lines of code in a folder, without those of folders that have rows of their own."""
    inner = [ROOT / other for other in SIZES if other.startswith(f"{folder}/")]
    return sum(
        len(path.read_text(encoding="utf-8").splitlines())
        for path in code_files(ROOT / folder)
        if not any(path.is_relative_to(other) for other in inner)
    )


@pytest.mark.parametrize("folder", SIZES)
def test_a_folder_is_no_larger_than_its_row_says(folder: str) -> None:
    assert 0 < num_lines(folder) <= SIZES[folder], f"make {folder} smaller, or say why it has grown"


def test_every_folder_with_code_is_in_the_tree() -> None:
    shown = [ROOT / folder for folder in SIZES]
    for source in SOURCES:
        for path in code_files(ROOT / source):
            assert any(path.is_relative_to(folder) for folder in shown), path
