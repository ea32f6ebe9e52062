"""Build the archives, check their contents and try the wheel: python -m tools.package FOLDER."""

import argparse
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tools.package import ROOT, build, faults_of_source, faults_of_wheel

TRIAL = Path(__file__).with_name("trial.py")


def try_wheel(wheel: Path, folder: Path) -> None:
    """Installs the wheel without extras in a new environment, and uses it."""
    environment = folder / "environment"
    venv.create(environment, with_pip=True)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    constraints = str(ROOT / "constraints.txt")
    install = ["-m", "pip", "install", "--quiet", "--constraint", constraints]
    (empty := folder / "empty").mkdir()
    commands: list[list[str | Path]] = [
        [programs / "python", *install, str(wheel.resolve())],
        [programs / "mindup", "--version"],
        [programs / "mindup", "doctor", "--seconds", "0.1"],
        [programs / "python", "-I", TRIAL, "game.json"],
        [programs / "mindup", "replay", "game.json", "--html", "game.html"],
    ]
    for command in commands:
        subprocess.run(command, cwd=empty, check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="for the archives; it is emptied first")
    source, wheel = build(parser.parse_args().folder)
    if faults := [*faults_of_source(source), *faults_of_wheel(wheel)]:
        sys.exit("\n".join(faults))
    with tempfile.TemporaryDirectory() as folder:
        try_wheel(wheel, Path(folder))
