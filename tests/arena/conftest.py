"""An arena that is played once for all tests that only read it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindup_arena import estimate
from mindup_env import cli

GAME = ["--players", "2", "--rounds", "1", "--deals", "3"]


@pytest.fixture(scope="package", autouse=True)
def few_resamples() -> Iterator[None]:
    """Reports of the tests here have rough intervals; the tests of intervals ask for more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(estimate, "RESAMPLES", 40)
        yield


@pytest.fixture(scope="package")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an arena of three bots in ``out``, and all files that it can write."""
    folder = tmp_path_factory.mktemp("files")
    files: list[object] = ["--json", folder / "a.json", "--csv", folder / "new" / "a.csv"]
    files += ["--picture", folder / "a.svg", "--record", folder / "games", "--out", folder / "out"]
    assert cli.main(["arena", "rank", "random", "lowest", "highest", *GAME, *map(str, files)]) == 0
    return folder
