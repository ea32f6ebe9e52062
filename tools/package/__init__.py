"""Builds the archives of a release, lists their faults, and tries them: ``make package``.

``trial`` is run by the Python of a new environment in which only the wheel is installed.
"""

import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

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
        names = {each.name.partition("/")[2] for each in archive.getmembers() if each.isfile()}
    return _faults(source, names, tracked_files(ROOT) | {"PKG-INFO"})


def faults_of_wheel(wheel: Path) -> list[str]:
    """What the wheel lacks or has besides the tracked files of the packages and the metadata."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    folder = f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata = "METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"
    expected = {f"{folder}/{name}" for name in metadata}
    for package in settings["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        root = Path(package).parent
        expected |= {
            str(Path(file).relative_to(root))
            for file in tracked_files(ROOT)
            if file.startswith(f"{package}/")
        }
    with zipfile.ZipFile(wheel) as archive:
        return _faults(wheel, set(archive.namelist()), expected)


def _faults(archive: Path, names: set[str], expected: set[str]) -> list[str]:
    return [
        *(f"{archive.name} lacks {name}" for name in sorted(expected - names)),
        *(f"{archive.name} must not contain {name}" for name in sorted(names - expected)),
    ]
