"""Every seat sees its hand and all that is public, and nothing else; the same as text."""

import numpy as np
import pytest
from hypothesis import given

from mindup_env import Game, GameConfig
from mindup_env.game.table import TableView, table_view
from mindup_env.observation import layout_of, observation_text
from mindup_env.observation.text import observation_table
from tests.envs.expected import assert_seen, look
from tests.envs.strategies import games
from tests.scripted_game import scripted


@given(games)
def test_every_seat_sees_its_hand_and_what_lies_open(game: Game) -> None:
    """Within the bounds that the layout declares."""
    layout = layout_of(game.config)
    observations, masks = look(game)
    assert observations.dtype == masks.dtype == np.int8
    assert_seen(layout, observations, masks, game)
    assert ((layout.low <= observations) & (observations <= layout.high)).all()


# As text


EXAMPLE = """\
Mind Up!  round 2 of 2, turn 1 of 3

objectives
-2   nobody has more purple cards than you   met by you, you+1

prizes      20 purple   30 orange
played by   you         you+1

score cards   [5]   [4]   [3]   [2]   [1]   in this tableau   finished rounds
you           .     .     .     .     .     0                 11
you+1         .     .     .     .     .     0                 9

your hand       2 10++ 40+ (3+)
hand of you+1   1- 12 50+ (?)
( ) only its owner knows   + ++ - bonus or malus of a card"""


def seen_from(table: TableView, viewer: int) -> TableView:
    """The table of a game as its observation has it: players from the viewer, columns ascending."""
    number = table.config.num_players
    index = {player: (player - viewer) % number for player in range(number)}
    names = ["you", *(f"you+{after}" for after in range(1, number))]
    from_viewer = [*table.players[viewer:], *table.players[:viewer]]
    return table._replace(
        objectives=sorted((id_, sorted(index[p] for p in met)) for id_, met in table.objectives),
        row=[(card, None if player is None else index[player]) for card, player in table.row],
        winners=(),
        last_prizes=(),
        players=[
            player._replace(
                name=name,
                tableau=[sorted(column) for column in player.tableau],
                known=list(player.known),
            )
            for player, name in zip(from_viewer, names, strict=True)
        ],
    )


@given(games)
def test_the_text_shows_the_table_of_the_game(game: Game) -> None:
    observations, _ = look(game)
    for viewer in range(game.config.num_players):
        table = observation_table(observations[viewer], game.config)
        table = table._replace(
            objectives=sorted(table.objectives), score_cards=tuple(table.score_cards)
        )
        assert table == seen_from(table_view(game, viewer), viewer)


def test_the_text_of_an_example() -> None:
    game = scripted(2)
    assert observation_text(look(game)[0][1], game.config) == EXAMPLE


def test_an_observation_of_another_config_has_no_text() -> None:
    with pytest.raises(ValueError, match="observation must be integers of shape"):
        observation_text(look(scripted())[0][0], GameConfig())
