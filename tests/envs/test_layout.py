"""The declared parts of an observation: they fill the vector, and the table tells the truth."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from mindup_env import GameConfig, Layout
from mindup_env.observation import layout_of
from tests.envs.expected import bounds_by_part, places
from tests.envs.strategies import tables

CONFIGS = [
    GameConfig(num_players=2, num_rounds=1, hand_size=2),
    GameConfig(),
    GameConfig(num_players=6, num_objectives=5),
    GameConfig(num_players=3, num_objectives=2, num_rounds=4, hand_size=9),
]
configs = pytest.mark.parametrize("config", CONFIGS, ids=lambda config: f"{config.num_players}p")

# The shape and the bounds of each part of the published game for four, written out once more.
SCORES = GameConfig().round_score_bounds
PARTS: dict[str, tuple[tuple[int, ...], tuple[int, int]]] = {
    "hand": ((60,), (0, 1)),
    "row": ((60,), (0, 4)),
    "row_players": ((4,), (0, 4)),
    "score_cards": ((5,), (1, 5)),
    "round": ((), (0, 3)),
    "turn": ((), (0, 8)),
    "objectives": ((14,), (0, 1)),
    "objectives_used": ((14,), (0, 1)),
    "tableaux": ((4, 60), (0, 1)),
    "columns": ((4, 5), (0, 5)),
    "counts": ((4, 5), (0, 9)),
    "known": ((4, 60), (0, 1)),
    "unknown": ((4,), (0, 7)),
    "round_scores": ((4, 3), SCORES),
    "running_scores": ((4,), SCORES),
    "objectives_met": ((4, 14), (0, 1)),
}


@given(tables())
def test_every_byte_belongs_to_exactly_one_part_at_its_offset(config: GameConfig) -> None:
    layout = Layout(config)
    views, offsets = layout.views(places(layout)), layout.offsets._asdict()
    pieces = [view.ravel() for view in views.values()]
    assert sorted(np.concatenate(pieces).tolist()) == list(range(layout.size))
    first_block, block = offsets.pop("players"), offsets.pop("block")
    assert (offsets.pop("seats"), offsets.pop("size")) == (first_block, layout.size)
    assert offsets.keys() == views.keys()
    for part in layout.table_parts:
        assert offsets[part.name] == views[part.name].min()
    for part in layout.player_parts:
        for player in range(config.num_players):
            begins = first_block + player * block + offsets[part.name]
            assert begins == views[part.name][player].min()


def test_the_parts_of_the_published_game_for_four() -> None:
    layout = Layout(GameConfig())
    assert layout.size == 755
    views, bounds = layout.views(places(layout)), bounds_by_part(layout)
    assert {name: (views[name].shape, bounds[name]) for name in views} == {
        name: (shape, {of_part}) for name, (shape, of_part) in PARTS.items()
    }


@configs
def test_the_table_says_where_each_part_is_and_what_it_holds(config: GameConfig) -> None:
    layout = Layout(config)
    views, bounds = layout.views(places(layout)), bounds_by_part(layout)
    header, _, *lines = layout.table().splitlines()
    assert header == "| part | shape | offset | values | meaning |"
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [row[0] for row in rows] == [f"`{name}`" for name in views]
    for (_, shape, offset, values, meaning), (name, view) in zip(rows, views.items(), strict=True):
        assert shape == (" x ".join(map(str, view.shape)) or "1")
        first, _, per_player = offset.partition(" + ")
        assert int(first) == view.min()
        if per_player:
            step = int(per_player.removesuffix(" p"))
            assert [int(own.min()) for own in view] == [
                int(first) + step * player for player in range(config.num_players)
            ]
        low, high = map(int, values.split(" to "))
        assert bounds[name] == {(low, high)}
        assert re.search("[a-z]{3}", meaning)


@pytest.mark.parametrize("num_players", range(2, 7))
def test_the_size_is_the_same_at_every_number_of_objectives(num_players: int) -> None:
    config = GameConfig(num_players=num_players)
    sizes = {Layout(replace(config, num_objectives=count)).size for count in range(6)}
    assert len(sizes) == 1


@configs
@pytest.mark.parametrize("leading", [(), (3,), (2, 3), (0,)], ids=str)
def test_views_are_views_of_the_observations(config: GameConfig, leading: tuple[int, ...]) -> None:
    layout = Layout(config)
    observations = np.zeros((*leading, layout.size), np.int8)
    for number, view in enumerate(layout.views(observations).values(), start=1):
        assert view.shape[: len(leading)] == leading
        view[...] = number
    # Every entry was written through a view, so no view was a copy.
    assert (observations > 0).all()


@pytest.mark.parametrize("shape", [(), (754,), (756,), (755, 1), (4, 0)], ids=str)
def test_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"755 entries.* not the shape \("):
        layout_of(GameConfig()).views(np.zeros(shape, np.int8))
