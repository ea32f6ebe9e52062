"""The objectives that are dealt: which are fresh, which stay, which are shown together."""

import pytest

from mindup_env import Deal, GameConfig
from mindup_env.engine.batch import Batch
from mindup_env.engine.keys import make_keys


@pytest.mark.parametrize("num_rounds", [3, 6])
@pytest.mark.parametrize("num_objectives", range(6))
def test_deals_are_allowed_and_the_other_of_a_letter_may_come_later(
    num_objectives: int, num_rounds: int
) -> None:
    config = GameConfig(3, num_objectives, num_rounds, hand_size=5)
    batch = Batch.dealt(config, make_keys(3, 1000))
    sisters_return = False
    for g in range(1000):
        Deal.read(batch.games, g).check(config)
        letters = batch.games.objectives[g].ravel() // 2  # those of a letter are neighbours
        sisters_return |= len({*letters.tolist()}) < letters.size
    assert sisters_return == (num_objectives > 0)
