"""The folder of a training, which ``run.json`` describes."""

from pathlib import Path

RUN = "run.json"


def has_run(path: Path) -> bool:
    """Whether a run was begun in a folder."""
    return (path / RUN).exists()


def unused_folder(name: str) -> Path:
    """The first of ``runs/NAME``, ``runs/NAME-2`` and so on that does not exist."""
    path, number = Path("runs") / name, 1
    while path.exists():
        number += 1
        path = path.with_name(f"{name}-{number}")
    return path


def check_unused(path: Path) -> None:
    """Refuses what is no new or empty folder."""
    if has_run(path):
        raise ValueError(
            f"{path} has a run already: resume it with --resume {path}, or give another folder "
            "with --out"
        )
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise ValueError(f"{path} is no empty folder: give another one with --out")
