"""How long a training takes to its end, as its lines say."""

import pytest

from mindup_training.settings.checkpoint_times import CheckpointTimes
from mindup_training.train.progress import TrainingClock, duration


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 0 s"),
        (200, "3 min 20 s"),
        (3599.9, "1 h 0 min"),
        (3900, "1 h 5 min"),
    ],
)
def test_a_duration_is_read_in_a_glance(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_the_time_left_is_that_of_rollouts_and_evaluations() -> None:
    clock = TrainingClock(1000, 0.0, CheckpointTimes(0, 300))
    assert clock.seconds_left(0) is None, "no speed is known"
    clock.add_evaluation(99.0)
    clock.add_rollout(2.0, 100)
    assert clock.seconds_left(100) == pytest.approx(18.0), "the first evaluation compiles"
    clock.add_rollout(4.0, 200)
    clock.add_evaluation(5.0)
    assert clock.seconds_left(300) == pytest.approx(14.0 + 3 * 5.0), "at 600, 900 and 1000"
    assert clock.seconds_left(1000) == 0.0


def test_minutes_are_known_from_the_start() -> None:
    clock = TrainingClock(None, 120.0, CheckpointTimes(0, 300))
    assert clock.seconds_left(0) == pytest.approx(120, abs=1)
    clock.restart(90)
    assert clock.seconds_left(10**9) == pytest.approx(30, abs=1)
    assert clock.progress(10**9) == pytest.approx(0.75, abs=0.01)
