"""The bots that play the lowest or the highest card."""

from collections.abc import Callable

import pytest

from tests.agents.bots import choose
from tests.agents.positions import stages
from tests.envs.playing import SHORT


@pytest.mark.parametrize(("name", "end"), [("lowest", min), ("highest", max)])
def test_it_plays_the_card_at_that_end_of_the_hand(
    name: str, end: Callable[[list[int]], int]
) -> None:
    arguments = stages(SHORT)
    hands = [mask.nonzero()[0].tolist() for mask in arguments.action_mask]
    assert choose(name, SHORT, arguments).tolist() == [end(hand) for hand in hands]
