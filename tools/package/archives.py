"""The source archive and the wheel: how they are built, and what belongs in them."""

import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from tools.tracked_files import tracked_files

ROOT = Path(__file__).parents[2]


def build(folder: Path) -> tuple[Path, Path]:
    """Builds both archives in ``folder``; the wheel is built from the source archive alone."""
    shutil.rmtree(folder, ignore_errors=True)
    _hatch("sdist", folder, ROOT)
    (source,) = folder.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")
    unpacked = folder / source.name.removesuffix(".tar.gz")
    _hatch("wheel", folder, unpacked)
    shutil.rmtree(unpacked)
    (wheel,) = folder.glob("*.whl")
    return source, wheel


def _hatch(target: str, folder: Path, project: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target]
    subprocess.run([*command, "--directory", str(folder.resolve())], cwd=project, check=True)


def faults_of_source(source: Path) -> list[str]:
    """What the source archive lacks or has besides the tracked files."""
    with tarfile.open(source) as archive:
        names = {
            member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()
        }
    return _faults(source, names, tracked_files(ROOT) | {"PKG-INFO"})


def faults_of_wheel(wheel: Path) -> list[str]:
    """What the wheel lacks or has besides the tracked files of the packages and the metadata."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    expected = _metadata_files(project["project"])
    for file in tracked_files(ROOT):
        for package in packages:
            if file.startswith(f"{package}/"):
                expected.add(str(Path(file).relative_to(Path(package).parent)))
    with zipfile.ZipFile(wheel) as archive:
        return _faults(wheel, set(archive.namelist()), expected)


def _metadata_files(project: dict[str, Any]) -> set[str]:
    folder = f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    names = ["METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"]
    return {f"{folder}/{name}" for name in names}


def _faults(archive: Path, names: set[str], expected: set[str]) -> list[str]:
    return [
        *(f"{archive.name} lacks {name}" for name in sorted(expected - names)),
        *(f"{archive.name} must not contain {name}" for name in sorted(names - expected)),
    ]
