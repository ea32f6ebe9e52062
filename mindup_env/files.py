"""Writing files so that nobody ever sees half of one."""

import os
import secrets
import shutil
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Writes to the side and renames: after a crash there is the old file or the new one."""
    side = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with side.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, side)
        side.replace(path)
    except BaseException:
        side.unlink(missing_ok=True)
        raise
