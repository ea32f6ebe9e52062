"""Trainings in these tests skip the arena and the pictures, which would take most of their time."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mindup_training import launch, train
from mindup_training.trainer import loop
from tests.training.runs import LEARNERS, settings_of, write_preset


@pytest.fixture(autouse=True, scope="session")
def _no_arena_and_no_pictures() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "rank_policy", lambda _: 0)
        patch.setattr(loop, "save_figure", lambda *_: None)
        patch.setattr(loop, "draw_curve", lambda _: None)
        yield


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a finished run of a learner, which is made once, and only read."""
    folders: dict[str, Path] = {}

    def find(learner: str) -> Path:
        if learner not in folders:
            path = tmp_path_factory.mktemp("finished") / learner
            folders[learner] = train(settings_of(learner), out=path, quiet=True).folder
        return folders[learner]

    return find


@pytest.fixture
def unbroken(finished: Callable[[str], Path]) -> Path:
    """The finished run of sb3."""
    return finished("sb3")


@pytest.fixture
def run(unbroken: Path, tmp_path: Path) -> Path:
    """A copy of the finished run of sb3, to change or damage."""
    return Path(shutil.copytree(unbroken, tmp_path / "run"))


@pytest.fixture(params=LEARNERS)
def learner(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def preset(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The settings of the finished run of sb3 as a preset."""
    return write_preset(tmp_path_factory.mktemp("presets") / "preset.json", "sb3")
