"""What all tests of trainings have in common."""

from itertools import count
from typing import Any

import pytest

from mindup_training.settings import LearnerSettings


@pytest.fixture(autouse=True)
def _trainings_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """No training goes on without an end."""
    done, asked = LearnerSettings.done, count()

    def counted(*given: Any) -> float:
        assert next(asked) < 300, "the training does not end"
        return done(*given)

    monkeypatch.setattr(LearnerSettings, "done", counted)
