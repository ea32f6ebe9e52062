"""The archives of a release hold the tracked files and nothing else."""

import tarfile
import zipfile
from collections.abc import Iterable
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

import pytest

from tools import ROOT, tracked_files
from tools.package import faults

VERSION = version("mindup-env")
METADATA = f"mindup_env-{VERSION}.dist-info"
SHIPPED = {  # one of each kind
    "mindup_env/py.typed",
    "mindup_env/official_deck.csv",
    "mindup_agents/champion/4_players.npz",
    "mindup_agents/distilled/4_players.onnx",
    "mindup_play/web/page.html",
    "mindup_training/train.py",
    f"{METADATA}/licenses/LICENSE",
    f"{METADATA}/entry_points.txt",
}


def faults_of(folder: Path, source: Iterable[str], wheel: Iterable[str]) -> list[str]:
    """Those of archives with these files."""
    paths = folder / "s.tar.gz", folder / "w.whl"
    with tarfile.open(paths[0], "w:gz") as archive:
        for name in source:
            archive.addfile(tarfile.TarInfo(f"mindup_env-{VERSION}/{name}"), BytesIO())
    with zipfile.ZipFile(paths[1], "w") as archive_of_wheel:
        for name in wheel:
            archive_of_wheel.writestr(name, "")
    return faults(*paths)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="tracked files are known in a clone alone")
def test_archives_hold_the_tracked_files_and_nothing_else(tmp_path: Path) -> None:
    source, prefix = tracked_files() | {"PKG-INFO"}, "w.whl lacks "
    missing = faults_of(tmp_path, source, [])
    assert all(fault.startswith(prefix) for fault in missing)
    wheel = {fault.removeprefix(prefix) for fault in missing}
    assert wheel >= SHIPPED
    assert not {name for name in wheel if name.startswith(("tests/", "docs/", "agents/"))}
    assert faults_of(tmp_path, source, wheel) == []
    assert faults_of(tmp_path, source - {"LICENSE"} | {"runs/a"}, wheel | {"tests/a.py"}) == [
        "s.tar.gz lacks LICENSE",
        "s.tar.gz must not contain runs/a",
        "w.whl must not contain tests/a.py",
    ]


def test_changelog_and_citation_have_the_version_of_the_package() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert changes.partition("\n## ")[2].startswith(f"[{VERSION}] - ")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {VERSION}\n" in citation
