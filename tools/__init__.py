"""What makes the documents, the golden files and the archives, and drives the pages."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def tracked_files() -> set[str]:
    """The files under version control, as paths from ``ROOT`` with slashes."""
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return set(filter(None, listing.stdout.split("\0")))
