"""Generated tables are current, links lead to something, and the version to cite is right."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from tools import ROOT, tracked_files
from tools.tables import PAGES, TABLES, names_of_tables, with_current_tables

FOLDERS = "agents", "examples", "notebooks", "training"
MARKDOWN = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
MARKDOWN += [path for folder in FOLDERS for path in ROOT.glob(f"{folder}/*.md")]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_tables_are_current(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert with_current_tables(text) == text, "make docs writes them"


def test_every_table_is_on_one_page() -> None:
    texts = [path.read_text(encoding="utf-8") for path in PAGES]
    assert sorted(name for text in texts for name in names_of_tables(text)) == sorted(TABLES)
    assert sum(text.count("<!-- table") for text in texts) == len(TABLES)


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_link_within_the_project_leads_somewhere(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)", path.read_text(encoding="utf-8"))
    for target, anchor in links:
        page = path.parent / target if target else path
        assert page.exists(), target
        if anchor:
            titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor[1:] in [
                re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles
            ]


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_reference_to_cite_is_that_of_the_package() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", text, re.MULTILINE) == [version("mindup-env")]
    authors = [author["name"] for author in PROJECT["authors"]]
    assert re.findall(r"^  - name: (.*)$", text, re.MULTILINE) == authors


def test_the_address_of_the_repository_is_in_one_place() -> None:
    address = PROJECT["urls"]["Repository"]
    holders = [
        name for name in sorted(tracked_files()) if address.encode() in (ROOT / name).read_bytes()
    ]
    assert holders == ["pyproject.toml"]
    if "OWNER" in address:
        pytest.skip("[project.urls] in pyproject.toml is a placeholder that the owner fills in")
    assert address.startswith("https://")
