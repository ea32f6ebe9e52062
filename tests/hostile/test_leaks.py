"""Games that differ only in what a seat does not know give that seat the same bytes."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from mindup_env import Game, GameConfig
from tests.envs.expected import with_other_secrets
from tests.game_origins import play_randomly, played
from tests.hostile.seat_views import VIEWS, Given
from tests.hostile.strategies import attack, configs, randoms


@pytest.mark.parametrize("api", VIEWS)
@attack(game=st.builds(played, configs, randoms), random=randoms)
def test_no_api_tells_a_seat_what_is_hidden_from_it(
    api: str, game: Game, random: np.random.Generator
) -> None:
    seat = int(random.integers(game.config.num_players))
    other = with_other_secrets(game, seat, Random(int(random.integers(2**32))))
    view = VIEWS[api][random.integers(len(VIEWS[api]))]
    assert flat(view(game, seat)) == flat(view(other, seat))


def test_the_search_would_find_a_leak() -> None:
    """The other seats do see what is hidden from one."""
    game = play_randomly(Game(GameConfig(3), seed=1), 9, np.random.default_rng(1))
    other = with_other_secrets(game, 0, Random(1))
    for api, views in VIEWS.items():
        for view in views:
            assert flat(view(game, 0)) == flat(view(other, 0)), api
            assert flat(view(game, 1)) != flat(view(other, 1)), api


def flat(given: Given) -> list[Any]:
    return [plain(each) for each in given]


def plain(value: Any) -> Any:
    """Arrays as their bytes, so that two values can be compared and printed."""
    if isinstance(value, np.ndarray | np.generic):
        content = value.tolist() if value.dtype == object else value.tobytes()
        return value.shape, str(value.dtype), plain(content)
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value
