"""The declared parts of observations and states: they fill the vector, as the table says."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from mindup_env import GameConfig, Layout, StateLayout
from mindup_env.observation.layout import VectorLayout

CONFIGS = [
    GameConfig(num_players=2, num_rounds=1, hand_size=2),
    GameConfig(),
    GameConfig(num_players=6, num_objectives=5),
]
LAYOUTS = [kind(config) for kind in (Layout, StateLayout) for config in CONFIGS]


def bounds_by_part(layout: VectorLayout) -> dict[str, set[tuple[int, int]]]:
    """Of each part, the pairs of bounds that its entries have."""
    low, high = layout.views(layout.low), layout.views(layout.high)
    assert layout.low.dtype == layout.high.dtype == np.int8
    return {
        name: set(zip(low[name].ravel().tolist(), high[name].ravel().tolist(), strict=True))
        for name in low
    }


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_entry_belongs_to_the_part_that_the_table_says(layout: VectorLayout) -> None:
    views, bounds = layout.views(np.arange(layout.size)), bounds_by_part(layout)
    pieces = [view.ravel() for view in views.values()]
    assert sorted(np.concatenate(pieces).tolist()) == list(range(layout.size))
    _, _, *lines = layout.table().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [row[0] for row in rows] == [f"`{name}`" for name in views]
    for (_, shape, offset, values, meaning), (name, view) in zip(rows, views.items(), strict=True):
        assert shape == (" x ".join(map(str, view.shape)) or "1")
        first, _, per_player = offset.partition(" + ")
        assert int(first) == view.min()
        if per_player:
            step = int(per_player.removesuffix(" p"))
            assert [int(own.min()) for own in view] == [
                int(first) + step * player for player in range(layout.config.num_players)
            ]
        low, high = map(int, values.split(" to "))
        assert bounds[name] == {(low, high)}
        assert re.search("[a-z]{3}", meaning)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_views_are_views_of_vectors_of_this_size(layout: VectorLayout) -> None:
    kind: Any = type(layout)
    config = replace(layout.config, num_objectives=3)
    assert kind(config).size == layout.size, "for any objectives"
    for leading in ((), (2, 3), (0,)):
        vectors = np.zeros((*leading, layout.size), np.int8)
        for number, view in enumerate(layout.views(vectors).values(), start=1):
            assert view.shape[: len(leading)] == leading
            view[...] = number
        assert (vectors > 0).all(), "every entry was written through a view"
    shapes = (), (layout.size - 1,), (layout.size, 1), (4, 0)
    wrong: list[Any] = [[0] * layout.size, *(np.zeros(shape, np.int8) for shape in shapes)]
    for each in wrong:
        with pytest.raises(ValueError, match=rf" \(\.\.\., {layout.size}\), not of shape \("):
            layout.views(each)
