"""Trainings in these tests skip the arena at the end, which would take most of their time."""

from collections.abc import Iterator

import pytest

from mindup_training import launch


@pytest.fixture(autouse=True, scope="session")
def _no_arena() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launch, "rank_policy", lambda _: 0)
        yield
