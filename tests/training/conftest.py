"""No training of a test goes on without an end."""

from itertools import count

import pytest

from mindup_training.settings import LearnerSettings

MOST = 300


@pytest.fixture(autouse=True)
def _trainings_end(monkeypatch: pytest.MonkeyPatch) -> None:
    done, asked = LearnerSettings.done, count()

    def counted(settings: LearnerSettings, timesteps: int, seconds: float) -> float:
        assert next(asked) < MOST, "the training does not end"
        return done(settings, timesteps, seconds)

    monkeypatch.setattr(LearnerSettings, "done", counted)
