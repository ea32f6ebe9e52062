"""Games that differ only in what a seat does not know give that seat the same bytes."""

import random as python_random
from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.belief import sample
from tests.envs.retold import with_other_secrets
from tests.game_origins import play_randomly, played
from tests.hostile.conftest import Attempts
from tests.hostile.open_spiel_views import of_open_spiel
from tests.hostile.random_games import random_config
from tests.hostile.seat_views import VIEWS, Given, View

pytestmark = pytest.mark.hostile

ALL_VIEWS: dict[str, View] = {**VIEWS, "open_spiel": of_open_spiel}


@pytest.mark.parametrize("name", ALL_VIEWS)
def test_no_api_tells_a_seat_what_is_hidden_from_it(name: str, attempts: Attempts) -> None:
    differences = 0
    for random in attempts:
        attempts.inputs += 1
        game = played(random_config(random), random)
        seat = int(random.integers(game.config.num_players))
        chance = python_random.Random(int(random.integers(2**32)))
        other = with_other_secrets(game, seat, chance)
        differences += other != game
        assert flat(ALL_VIEWS[name](game, seat)) == flat(ALL_VIEWS[name](other, seat))
    assert differences or attempts.inputs < 5


def test_a_seat_cannot_distinguish_the_games_sampled_from_its_observation(
    attempts: Attempts,
) -> None:
    for random in attempts:
        game = played(random_config(random), random)
        env = BatchEnv(game.config, 8, autoreset=False)
        seat = int(random.integers(game.config.num_players))
        seen = env.set_game(0, game)
        own = seen["observation"][0, seat].copy(), seen["action_mask"][0, seat].copy()
        again = env.set_state(range(8), sample(own[0], game.config, 8, random))
        for index in range(8):
            attempts.inputs += 1
            assert again["observation"][index, 0].tobytes() == own[0].tobytes()
            assert again["action_mask"][index, 0].tobytes() == own[1].tobytes()


def test_the_search_would_find_a_leak() -> None:
    """The other seats do see what is hidden from one."""
    game = play_randomly(Game(GameConfig(3), seed=1), 9, np.random.default_rng(1))
    other = with_other_secrets(game, 0, python_random.Random(1))
    for name, view in ALL_VIEWS.items():
        assert flat(view(game, 0)) == flat(view(other, 0)), name
        assert flat(view(game, 1)) != flat(view(other, 1)), name


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
