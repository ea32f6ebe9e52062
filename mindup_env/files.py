"""Writing files so that nobody ever sees half of one."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of ``path`` when all of it is written."""
    side = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with side.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, side)
        side.replace(path)
    except BaseException:
        side.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    with atomic_write(path) as file:
        file.write(text.encode("utf-8"))
