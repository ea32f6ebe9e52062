"""What can be played, and why the rest cannot."""

import json
import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import OFFICIAL_DECK, Card, Deck, Game, GameConfig
from mindup_env.cards import COLOURS

ORDER = (2, 4, 1, 5, 3)


def deck_of(points: list[int], colours: tuple[str, ...] = COLOURS) -> Deck:
    """A deck whose card n carries the n-th points; the colours take turns."""
    cards = enumerate(points, start=1)
    return Deck(tuple(Card(n, colours[n % len(colours)], worth) for n, worth in cards))


def small(**sizes: Any) -> GameConfig:
    """A table for two with hands of two in one round, but for what is given."""
    return GameConfig(**{"num_players": 2, "hand_size": 2, "num_rounds": 1, **sizes})


def test_the_official_deck_lasts_for_every_table() -> None:
    config = GameConfig()
    assert config == GameConfig(4, 0, 3, 7, OFFICIAL_DECK)
    assert (config.num_cards, config.largest_hand) == (60, 9)
    for players in range(2, 7):
        for objectives in range(6):
            config = GameConfig(players, objectives)
            assert config.num_turns == 21
            assert config.objectives_renewed == (objectives in (1, 2))
    config = small(num_rounds=4, hand_size=3, deck=deck_of([0] * 14))
    assert (config.num_cards, config.num_turns, config.largest_hand) == (14, 2 + 3 + 4 + 5, 6)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"num_players": 7}, "num_players must be 2 to 6, not 7"),
        ({"num_rounds": 0}, "num_rounds must be at least 1, not 0"),
        ({"num_players": True}, "num_players must be a whole number, not True"),
        ({"num_objectives": 3.0}, "num_objectives must be a whole number, not 3.0"),
        ({"num_rounds": "3"}, "num_rounds must be a whole number, not '3'"),
        ({"hand_size": np.array([3])}, "hand_size must be a whole number, not array"),
        ({"deck": "official"}, "deck must be a Deck, not 'official'"),
        ({"score_order": 12345}, "score_order must be a list, not 12345"),
        (
            {"score_order": (1, 2, 3, 4)},
            r"must have each of \(1, 2, 3, 4, 5\) once, not \[1, 2, 3, 4",
        ),
        ({"score_order": "24153"}, "score_order must be a list, not '24153'"),
    ],
    ids=str,
)
def test_other_values_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        small(**given)


@pytest.mark.parametrize(
    ("sizes", "needed"),
    [
        ((6, 0, 3, 8), "66 cards .48 dealt, 6 for the row, 12 drawn"),
        ((2, 0, 1, 30), "62 cards .60 dealt, 2 for the row, 0 drawn"),
    ],
)
def test_too_few_cards_are_refused_with_the_count(
    sizes: tuple[int, int, int, int], needed: str
) -> None:
    with pytest.raises(ValueError, match=rf"{needed}.*deck has 60"):
        GameConfig(*sizes)
    small(hand_size=3, num_rounds=2, deck=deck_of([0] * 10))
    with pytest.raises(ValueError, match=r"need 10 cards.*deck has 9"):
        small(hand_size=3, num_rounds=2, deck=deck_of([0] * 9))


@pytest.mark.parametrize(("fresh", "last"), [(1, 14), (2, 6)])
def test_fresh_objectives_last_for_so_many_rounds(fresh: int, last: int) -> None:
    small(num_objectives=fresh, num_rounds=last)
    message = rf"objectives={fresh} over {last + 1} rounds .* {fresh * (last + 1)} .* 14 objective"
    with pytest.raises(ValueError, match=message):
        small(num_objectives=fresh, num_rounds=last + 1)
    for objectives in (0, 3, 5):  # these stay
        assert small(num_objectives=objectives, num_rounds=15).num_turns == sum(range(1, 16))


def test_round_score_bounds_by_hand() -> None:
    # Hands of three: two of one colour under the 5 and one under the 4, with the best points.
    deck = deck_of([3, -1, -2, 4, 0, 1, -5, 2], ("pink", "blue", "green", "orange"))
    assert small(num_rounds=2, deck=deck).round_score_bounds == (-8, 5 * 2 + 4 + 9)
    bounds = small(num_rounds=2, deck=deck, num_objectives=5).round_score_bounds
    assert bounds == (-8 - 10, 23 + 10)


@pytest.mark.parametrize(
    ("fitting", "too_much", "bounds"),
    [
        ((58, 59), (59, 59), "from 0 to 128"),
        ((-64, -64), (-64, -65), "from -129 to 10"),
    ],
)
def test_a_round_that_might_not_fit_int8_is_refused(
    fitting: tuple[int, ...], too_much: tuple[int, ...], bounds: str
) -> None:
    # Hands of two in one colour: at most 10 points, and what the two cards are worth.
    small(deck=deck_of([*fitting, 0, 0, 0, 0], ("pink",)))
    with pytest.raises(ValueError, match=rf"{bounds} .*int8.*-128 to 127"):
        small(deck=deck_of([*too_much, 0, 0, 0, 0], ("pink",)))


@st.composite
def small_configs(draw: st.DrawFn) -> GameConfig:
    """Small decks of few colours and points, where random play often comes near the bounds."""
    colours = draw(st.lists(st.sampled_from(COLOURS), min_size=1, max_size=3, unique=True))
    worth = st.sampled_from(draw(st.sampled_from([(6,), (-6,), (-6, 6), (-2, 0, 5)])))
    players, objectives = draw(st.integers(2, 4)), draw(st.integers(0, 5))
    rounds, hand = draw(st.integers(1, 3)), draw(st.integers(2, 3))
    needed = players * (hand + rounds)
    points = draw(st.lists(worth, min_size=needed, max_size=needed + 4))
    return GameConfig(players, objectives, rounds, hand, deck_of(points, tuple(colours)))


@settings(deadline=None)
@given(small_configs(), st.integers(0, 2**64 - 1))
def test_no_score_of_a_round_leaves_its_bounds(config: GameConfig, seed: int) -> None:
    low, high = config.round_score_bounds
    game, choices = Game(config, seed), random.Random(seed)
    while not game.over:
        game.play([choices.choice(game.hand(player)) for player in range(config.num_players)])
        assert all(low <= score <= high for score in game.running_scores)
    assert all(low <= score.total <= high for round_ in game.round_scores for score in round_)


@pytest.mark.parametrize(
    "config",
    [
        GameConfig(),
        GameConfig(6, 5, 2, 5),
        GameConfig(2, 1, 2, 3, deck_of([1, -1, 0, 7, 2] * 2)),
        GameConfig(score_order=ORDER),
    ],
    ids=str,
)
def test_a_config_as_plain_data(config: GameConfig) -> None:
    plain = config.to_dict()
    assert (plain["deck"] == "official") == (config.deck == OFFICIAL_DECK)
    assert ("score_order" in plain) == (config.score_order is not None)
    assert GameConfig.from_dict(json.loads(json.dumps(plain))) == config
    assert GameConfig.from_dict({}) == GameConfig(), "entries left out take the defaults"
    assert GameConfig.from_dict({"num_players": np.int64(4)}) == GameConfig()
    assert pickle.loads(pickle.dumps(config)) == config
    make, fields = config.__reduce__()  # a pickle is checked when it is loaded
    with pytest.raises(ValueError, match="num_players must be 2 to 6, not 9"):
        make(9, *fields[1:])


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        (5, "config must be a dict.*, not 5"),
        ({"num_player": 3}, "num_players, num_objectives.*, hand_size, deck.* 'num_player'"),
        ({"deck": "oficial"}, "'official' or a list.* 'oficial'"),
        ({"deck": [[1, "pink", 0], [2, "pink"]]}, r"number, colour, points, not \[2, 'pink'\]"),
        ({"deck": [[1, "pink", 0], [1, "blue", 0]]}, "found 1 where 2 should be"),
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
    with pytest.raises(ValueError, match=r"round 1 is .*; in this config it is \(2, 4, 1, 5, 3\)"):
        drawn.check(config)


def test_configs_compare_and_hash_by_their_rules() -> None:
    config, same = GameConfig(), GameConfig(deck=Deck(tuple(reversed(OFFICIAL_DECK.cards))))
    assert config == same and hash(config) == hash(same)
    others = {GameConfig(3), GameConfig(4, 1), GameConfig(4, 0, 2), GameConfig(4, 0, 3, 6)}
    assert len({config, *others, GameConfig(deck=deck_of([0] * 60))}) == 6
