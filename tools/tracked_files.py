"""The files of the project that are under version control."""

import subprocess
from pathlib import Path


def tracked_files(root: Path) -> set[str]:
    """Their paths from ``root``, with slashes."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True
    )
    return set(filter(None, listing.stdout.split("\0")))
