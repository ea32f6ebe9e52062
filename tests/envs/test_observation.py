"""Every seat sees its hand and all that is public, and nothing else."""

import random

import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import Game, GameConfig
from mindup_env.observation import layout_of
from tests.envs.expected import (
    assert_seen,
    hidden_cards,
    look,
    taken_back,
    turned,
    with_other_secrets,
)
from tests.envs.strategies import games_at_any_point, paddings
from tests.rules.strategies import plays

observation_settings = settings(deadline=None, max_examples=150)

MOMENTS = [(1, 1), (1, 4), (2, 1), (2, 3), (3, 1), (3, 5)]  # round and turn


@observation_settings
@given(games_at_any_point(), st.data())
def test_every_seat_sees_its_hand_and_what_lies_open(game: Game, data: st.DataObject) -> None:
    pad_to_players = data.draw(paddings(game.config))
    observations, masks = look(game, pad_to_players)
    assert observations.dtype == masks.dtype == np.int8
    assert_seen(layout_of(game.config, pad_to_players), observations, masks, game)


@observation_settings
@given(games_at_any_point(), st.data())
def test_no_value_leaves_its_bounds(game: Game, data: st.DataObject) -> None:
    pad_to_players = data.draw(paddings(game.config))
    layout = layout_of(game.config, pad_to_players)
    box = spaces.Box(layout.low, layout.high, dtype=np.int8)
    observations, masks = look(game, pad_to_players)
    for player in range(game.config.num_players):
        assert box.contains(observations[player])
        assert spaces.Box(0, 1, (game.config.num_cards,), np.int8).contains(masks[player])


@observation_settings
@given(games_at_any_point(), st.data())
def test_what_is_hidden_from_a_seat_changes_nothing_it_sees(
    game: Game, data: st.DataObject
) -> None:
    viewer = data.draw(st.integers(0, game.config.num_players - 1))
    other = with_other_secrets(game, viewer, random.Random(data.draw(st.integers(0, 2**32))))
    pad_to_players = data.draw(paddings(game.config))
    observations, masks = look(game, pad_to_players)
    other_observations, other_masks = look(other, pad_to_players)
    assert observations[viewer].tobytes() == other_observations[viewer].tobytes()
    assert masks[viewer].tobytes() == other_masks[viewer].tobytes()
    for player in range(game.config.num_players):
        # Whoever got another hand does see it: the secrets were not the same by mistake.
        same_hand = game.hand(player) == other.hand(player)
        assert np.array_equal(observations[player], other_observations[player]) == same_hand


@pytest.mark.parametrize("num_objectives", [0, 1, 2, 3])
@pytest.mark.parametrize("moment", MOMENTS, ids=str)
def test_there_are_secrets_to_change(moment: tuple[int, int], num_objectives: int) -> None:
    """The test before this one would prove little if they mostly came out as they were."""
    game, viewer = game_at(moment, GameConfig(num_objectives=num_objectives)), 2
    other = with_other_secrets(game, viewer, random.Random(6))
    seats = range(game.config.num_players)
    secretive = {seat for seat in seats if set(game.hand(seat)) - taken_back(game, seat)}
    assert {seat for seat in seats if game.hand(seat) != other.hand(seat)} == secretive - {viewer}
    assert len(secretive) == 4 or game.turn > 1 < game.round

    still_to_draw, later = 4 * (7 + game.round), slice(game.round, None)
    assert set(hidden_cards(game, viewer)) >= set(game.deal.deck[still_to_draw:])
    assert game.deal.deck[still_to_draw:] != other.deal.deck[still_to_draw:]
    last_round = game.round == 3
    assert (game.deal.score_orders[later] == other.deal.score_orders[later]) == last_round
    fixed = last_round or num_objectives in (0, 3)
    assert (game.deal.objectives[later] == other.deal.objectives[later]) == fixed


@observation_settings
@given(games_at_any_point(), st.data())
def test_it_does_not_matter_which_seat_is_called_the_first(game: Game, data: st.DataObject) -> None:
    players = game.config.num_players
    steps = data.draw(st.integers(1, players - 1))
    pad_to_players = data.draw(paddings(game.config))
    observations, masks = look(game, pad_to_players)
    at_new_seats, masks_at_new_seats = look(turned(game, steps), pad_to_players)
    for seat in range(players):
        new_seat = (seat + steps) % players
        assert observations[seat].tobytes() == at_new_seats[new_seat].tobytes()
        assert masks[seat].tobytes() == masks_at_new_seats[new_seat].tobytes()


@pytest.mark.parametrize("num_players", range(2, 7))
def test_the_mask_is_the_hand_and_zero_when_the_game_is_over(num_players: int) -> None:
    game = Game(GameConfig(num_players=num_players), seed=3)
    for _ in plays(game, 4):
        observations, masks = look(game)
        views = layout_of(game.config).views(observations)
        assert np.array_equal(views["hand"], masks)
        for player in range(num_players):
            assert tuple(np.flatnonzero(masks[player]) + 1) == game.hand(player)
    assert game.over
    assert not masks.any()
    assert not views["known"].any() and not views["unknown"].any()


def test_the_owner_of_a_known_card_still_sees_it_in_the_hand() -> None:
    game = game_at((2, 2), GameConfig(num_players=3))
    views = layout_of(game.config).views(look(game)[0])
    for player in range(3):
        known = np.flatnonzero(views["known"][player, 0]) + 1
        assert set(known) == taken_back(game, player)
        assert views["hand"][player][known - 1].all()
        assert views["unknown"][player, 0] == views["hand"][player].sum() - len(known)


def game_at(moment: tuple[int, int], config: GameConfig) -> Game:
    game = Game(config, seed=11)
    turns = plays(game, 12)
    while (game.round, game.turn) != moment:
        next(turns)
    return game
