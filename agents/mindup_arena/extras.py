"""Libraries that only the arena needs: they are loaded when they are used."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

LIBRARIES = ("matplotlib", "rich", "scipy")


def check_installed() -> None:
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise ValueError(f"the arena needs {', '.join(missing)}: pip install 'mindup-env[arena]'")


def library(name: str) -> Any:
    return import_module(name)
