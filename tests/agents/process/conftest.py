"""Each test works in a folder of its own, where its programs write what they were asked."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
