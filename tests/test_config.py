"""What can be played, and why the rest cannot."""

import json
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mindup_env import OFFICIAL_DECK, Game, GameConfig

ORDER = (2, 4, 1, 5, 3)


def small(**sizes: Any) -> GameConfig:
    """A table for two with hands of two in one round, but for what is given."""
    return GameConfig(**{"num_players": 2, "hand_size": 2, "num_rounds": 1, **sizes})


def test_the_official_deck_lasts_for_every_table() -> None:
    config = GameConfig()
    assert config == GameConfig(4, 0, 3, 7, 60)
    assert config.deck == OFFICIAL_DECK and config.largest_hand == 9
    for players in range(2, 7):
        for objectives in range(6):
            config = GameConfig(players, objectives)
            assert config.num_turns == 21
            assert config.objectives_renewed == (objectives in (1, 2))
    config = small(num_rounds=4, hand_size=3, num_cards=14)
    assert config.deck == OFFICIAL_DECK[:14]
    assert (config.num_turns, config.largest_hand) == (2 + 3 + 4 + 5, 6)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"num_players": 7}, "num_players must be 2 to 6, not 7"),
        ({"num_rounds": 0}, "num_rounds must be at least 1, not 0"),
        ({"num_objectives": 3.0}, "num_objectives must be a whole number, not 3.0"),
        ({"hand_size": np.array([3])}, "hand_size must be a whole number, not array"),
        ({"num_cards": 61}, "num_cards must be 1 to 60, not 61"),
        ({"score_order": 12345}, "score_order must be a list, not 12345"),
        (
            {"score_order": (1, 2, 3, 4)},
            r"must have each of \(1, 2, 3, 4, 5\) once, not \[1, 2, 3, 4",
        ),
    ],
    ids=str,
)
def test_other_values_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        small(**given)


def test_too_few_cards_are_refused_with_the_count() -> None:
    small(hand_size=3, num_rounds=2, num_cards=10)
    for sizes, needed, cards in (((6, 0, 3, 8), 66, 60), ((2, 0, 2, 3, 9), 10, 9)):
        with pytest.raises(ValueError, match=f"need {needed} cards, but the deck has {cards}"):
            GameConfig(*sizes)


@pytest.mark.parametrize(("fresh", "last"), [(1, 14), (2, 6)])
def test_fresh_objectives_last_for_so_many_rounds(fresh: int, last: int) -> None:
    small(num_objectives=fresh, num_rounds=last)
    message = rf"objectives={fresh} over {last + 1} rounds .* {fresh * (last + 1)} .* of 14 are"
    with pytest.raises(ValueError, match=message):
        small(num_objectives=fresh, num_rounds=last + 1)
    for objectives in (0, 3, 5):  # these stay
        assert small(num_objectives=objectives, num_rounds=15).num_turns == sum(range(1, 16))


def test_round_score_bounds_by_hand() -> None:
    # Hands of three of the first eight cards: two of one colour under the 5 and one under the 4.
    config = small(num_rounds=2, num_cards=8)
    assert config.round_score_bounds == (-2, 5 * 2 + 4 + 2 + 1 + 1)
    assert replace(config, num_objectives=5).round_score_bounds == (-2 - 10, 18 + 10)
    assert small(hand_size=3).round_score_bounds[0] == -3, "as many as a hand has"


def test_a_round_that_might_not_fit_int8_is_refused() -> None:
    assert small(hand_size=21).round_score_bounds == (-10, 127)
    with pytest.raises(ValueError, match=r"from -10 to 132 .*int8.*-128 to 127"):
        small(hand_size=22)


@pytest.mark.parametrize(
    "config", [GameConfig(), GameConfig(2, 1, 2, 3, 10), GameConfig(score_order=ORDER)], ids=str
)
def test_a_config_as_plain_data(config: GameConfig) -> None:
    plain = config.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert GameConfig.from_dict(plain) == config
    assert GameConfig.from_dict({}) == GameConfig(), "entries left out take the defaults"
    assert GameConfig.from_dict({"num_players": np.int64(4)}) == GameConfig()
    assert pickle.loads(pickle.dumps(config)) == config


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        (5, "config must be a dict.*, not 5"),
        ({"num_player": 3}, "num_players, num_objectives.*, hand_size, num_cards.* 'num_player'"),
    ],
)
def test_refused_plain_data(plain: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GameConfig.from_dict(plain)


def test_every_round_has_the_fixed_score_order_and_the_same_cards() -> None:
    given: Any = np.array(ORDER)
    config = GameConfig(num_players=3, score_order=given)
    assert config.score_order == ORDER and config == GameConfig(3, score_order=ORDER)
    fixed, drawn = Game(config, seed=7).deal, Game(GameConfig(3), seed=7).deal
    assert fixed.score_orders == (ORDER,) * 3 and len({*drawn.score_orders}) > 1
    assert fixed.deck == drawn.deck
    with pytest.raises(ValueError, match=r"the score order of round 1 must be \(2, 4, 1, 5, 3\)"):
        drawn.check(config)
