"""The check of the archives finds what they lack and what does not belong in them."""

import tarfile
import zipfile
from collections.abc import Iterable
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

import pytest

from tools.package import ROOT, faults_of_source, faults_of_wheel
from tools.tracked_files import tracked_files

pytestmark = pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="tracked files are known in a clone alone"
)

METADATA = f"mindup_env-{version('mindup-env')}.dist-info"
SHIPPED = {  # one of each kind
    "mindup_env/py.typed",
    "mindup_env/official_deck.csv",
    "mindup_agents/py.typed",
    "mindup_agents/champion_1/4_players.safetensors",
    "mindup_agents/champion_2/4_players/models/search.safetensors",
    "mindup_arena/py.typed",
    "mindup_play/py.typed",
    "mindup_play/languages/it.json",
    "mindup_play/web/play/play.html",
    "mindup_training/py.typed",
    "mindup_training/presets/quick.toml",
    f"{METADATA}/licenses/LICENSE",
    f"{METADATA}/entry_points.txt",
}


def wheel_of(names: Iterable[str], path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return path


def source_of(names: Iterable[str], path: Path) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name in names:
            archive.addfile(tarfile.TarInfo(f"mindup_env-0.1.0/{name}"), BytesIO())
    return path


def test_a_wheel_holds_the_files_of_the_packages_and_nothing_else(tmp_path: Path) -> None:
    prefix = "w.whl lacks "
    faults = faults_of_wheel(wheel_of([], tmp_path / "w.whl"))
    assert all(fault.startswith(prefix) for fault in faults)
    expected = {fault.removeprefix(prefix) for fault in faults}
    assert expected >= SHIPPED
    assert not {name for name in expected if name.startswith(("tests/", "docs/", "agents/"))}
    assert faults_of_wheel(wheel_of(expected, tmp_path / "w.whl")) == []
    more = wheel_of(expected | {"tests/a.py"}, tmp_path / "w.whl")
    assert faults_of_wheel(more) == ["w.whl must not contain tests/a.py"]


def test_a_source_archive_holds_the_tracked_files_and_nothing_else(tmp_path: Path) -> None:
    names = tracked_files(ROOT) | {"PKG-INFO"}
    assert faults_of_source(source_of(names, tmp_path / "s.tar.gz")) == []
    changed = names - {"LICENSE"} | {"runs/a"}
    assert faults_of_source(source_of(changed, tmp_path / "s.tar.gz")) == [
        "s.tar.gz lacks LICENSE",
        "s.tar.gz must not contain runs/a",
    ]
