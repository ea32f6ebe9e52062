"""An observation as text: the table that its seat sees, and nothing else."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import Game, GameConfig
from mindup_env.game.table import TableView, table_view
from mindup_env.observation import observation_text
from mindup_env.observation.text import observation_table
from tests.envs.expected import look, with_other_secrets
from tests.envs.strategies import games_at_any_point, paddings
from tests.scripted_game import scripted

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
    hands = ["your hand", *(f"hand of {name}" for name in names[1:])]
    from_viewer = [*table.players[viewer:], *table.players[:viewer]]
    return table._replace(
        objectives=sorted((id_, sorted(index[p] for p in met)) for id_, met in table.objectives),
        row=[(card, None if player is None else index[player]) for card, player in table.row],
        winners=(),
        last_prizes=(),
        players=[
            player._replace(
                name=name,
                short_name=name,
                hand_name=hand,
                tableau=[sorted(column) for column in player.tableau],
                known=list(player.known),
            )
            for player, name, hand in zip(from_viewer, names, hands, strict=True)
        ],
    )


@settings(deadline=None, max_examples=100)
@given(games_at_any_point())
def test_it_shows_the_table_of_the_game(game: Game) -> None:
    observations, _ = look(game)
    for viewer in range(game.config.num_players):
        table = observation_table(observations[viewer], game.config)
        table = table._replace(
            objectives=sorted(table.objectives), score_cards=tuple(table.score_cards)
        )
        assert table == seen_from(table_view(game, viewer), viewer)


@settings(deadline=None, max_examples=100)
@given(games_at_any_point(), st.data())
def test_no_hidden_card_is_in_the_text(game: Game, data: st.DataObject) -> None:
    viewer = data.draw(st.integers(0, game.config.num_players - 1))
    other = with_other_secrets(game, viewer, random.Random(data.draw(st.integers(0, 2**32))))
    pad_to_players = data.draw(paddings(game.config))
    texts = [
        observation_text(look(each, pad_to_players)[0][viewer], game.config, pad_to_players)
        for each in (game, other)
    ]
    assert texts[0] == texts[1] == observation_text(look(game)[0][viewer], game.config)


def test_the_text_of_an_example() -> None:
    game = scripted(2)
    assert observation_text(look(game)[0][1], game.config) == EXAMPLE


def test_an_observation_of_another_config_is_refused() -> None:
    observation = look(scripted())[0][0]
    with pytest.raises(ValueError, match="entries in its last axis"):
        observation_text(observation, GameConfig())
    with pytest.raises(ValueError, match="entries in its last axis"):
        observation_text(np.zeros(0, np.int8), GameConfig())
