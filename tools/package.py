"""Build the archives of a release, check their contents and try them: ``make package``."""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

from tools import ROOT, tracked_files

TRIAL = Path(__file__).with_name("package_trial.py")
"""Run by the Python of a new environment in which only the wheel is installed."""


def build(folder: Path) -> tuple[Path, Path]:
    """Builds both archives in ``folder``; the wheel is built from the source archive alone."""
    shutil.rmtree(folder, ignore_errors=True)
    _hatch("sdist", folder, ROOT)
    (source,) = folder.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as unpacked:
        shutil.unpack_archive(source, unpacked)  # tarfile's filter came with Python 3.11.4
        _hatch("wheel", folder, Path(unpacked, source.name.removesuffix(".tar.gz")))
    (wheel,) = folder.glob("*.whl")
    return source, wheel


def _hatch(target: str, folder: Path, project: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", target]
    subprocess.run([*command, "--directory", str(folder.resolve())], cwd=project, check=True)


def faults(source: Path, wheel: Path) -> list[str]:
    """What an archive lacks or has besides the tracked files and its metadata."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    tracked = tracked_files()
    folder = f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata = "METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"
    in_wheel = {f"{folder}/{name}" for name in metadata}
    for name in settings["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]:
        files = [Path(file) for file in tracked if file == name or file.startswith(f"{name}/")]
        in_wheel |= {str(file.relative_to(Path(name).parent)) for file in files}
    with tarfile.open(source) as archive:
        files_in = [each.name for each in archive.getmembers() if each.isfile()]
    in_source = {name.partition("/")[2] for name in files_in}
    in_archive = {*zipfile.ZipFile(wheel).namelist()}
    of_source = _differences(source.name, in_source, tracked | {"PKG-INFO"})
    return of_source + _differences(wheel.name, in_archive, in_wheel)


def _differences(archive: str, found: set[str], expected: set[str]) -> list[str]:
    lacking = [f"{archive} lacks {name}" for name in sorted(expected - found)]
    return lacking + [f"{archive} must not contain {name}" for name in sorted(found - expected)]


def try_wheel(wheel: Path, folder: Path) -> None:
    """Installs the wheel without extras in a new environment, and uses it."""
    environment = folder / "environment"
    venv.create(environment, with_pip=True)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    constraints = str(ROOT / "constraints.txt")
    install = ["-m", "pip", "install", "--quiet", "--constraint", constraints]
    empty = folder / "empty"
    empty.mkdir()
    commands: list[list[str | Path]] = [
        [programs / "python", *install, str(wheel.resolve())],
        [programs / "mindup", "--version"],
        [programs / "mindup", "bench", "--seconds", "0.01"],
        [programs / "python", "-I", TRIAL, "game.json"],
    ]
    for command in commands:
        subprocess.run(command, cwd=empty, check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="for the archives; it is emptied first")
    source, wheel = build(parser.parse_args().folder)
    found = faults(source, wheel)
    if found:
        sys.exit("\n".join(found))
    with tempfile.TemporaryDirectory() as folder:
        try_wheel(wheel, Path(folder))
