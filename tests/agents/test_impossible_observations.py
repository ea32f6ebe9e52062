"""Observations that no game can show are refused before compiled code uses them."""

from typing import Any

import numpy as np
import pytest

from mindup_agents.champion.position import read_positions
from mindup_env import GameConfig
from mindup_env.observation import layout_of
from tests.agents.bots import choose, make_quick, playable
from tests.agents.positions import ActArguments, stages

CONFIG = GameConfig(3, 2)
READERS = [name for name in playable(CONFIG) if name not in ("random", "lowest", "highest")]
ROW = 9
"""In this row it is turn 4 of round 2."""

Changes = dict[str, tuple[Any, int]]
CHANGES: list[tuple[str, Changes]] = [
    ("`round` of an observation must be 0 to 3 .*, not 127", {"round": (..., 127)}),
    ("round 0: both must be at least 1", {"round": (..., 0)}),
    ("`turn` .*, not -1", {"turn": (..., -1)}),
    ("turn 8 of round 2: this round has 7 turns", {"turn": (..., 8)}),
    ("a hand has 4 cards", {"turn": (..., 5)}),
    ("`score_cards` .* 1 to 5 .*, not 100", {"score_cards": (0, 100)}),
    ("score order of round 2 .* must hold each of", {"score_cards": (..., 3)}),
    ("`row` must have 3 prizes", {"row": (..., 0)}),
    ("`row` of an observation must be 0 to 3", {"row": (..., 9)}),
    ("`row_players` .*, not 90", {"row_players": (0, 90)}),
    ("`row_players` must be", {"row_players": (..., 1)}),
    ("2 objectives must be shown, not 0", {"objectives": (..., 0)}),
    ("2 objectives must be shown, not 14", {"objectives": (..., 1)}),
    ("`columns` .* 0 to 5 .*, not 6", {"columns": ((1, 2), 6)}),
    ("`columns` .* 0 to 5 .*, not -7", {"columns": ((2, 0), -7)}),
    ("`unknown` .*, not -1", {"unknown": (1, -1)}),
    ("opponent 2 has 0 known and 0 unknown", {"unknown": (2, 0), "known": ((2, ...), 0)}),
    ("the viewer's hand is empty before the end", {"hand": (..., 0)}),
    ("the viewer's has 60", {"hand": (..., 1)}),
    ("card .* is in two places", {"tableaux": ((1, ...), 1)}),
    ("viewer must have 3 cards in the tableau, not 0", {"tableaux": ((0, ...), 0)}),
]


def changed(changes: Changes) -> ActArguments:
    arguments = stages(CONFIG)
    observation = arguments.observation.copy()
    views = layout_of(CONFIG).views(observation[ROW])
    for part, (place, value) in changes.items():
        views[part][place] = value
    return arguments._replace(observation=observation)


@pytest.mark.parametrize("name", READERS)
def test_a_bot_refuses_it_and_plays_on(name: str) -> None:
    agent = make_quick(name, CONFIG)
    for message, changes in CHANGES:
        with pytest.raises(ValueError, match=f"row {ROW} of observation: .*{message}"):
            agent.act(*changed(changes))
    few = stages(CONFIG).pick([1, ROW])
    assert np.array_equal(agent.act(*few), choose(name, CONFIG, few))


def test_the_features_of_the_champion_refuse_it() -> None:
    for message, changes in CHANGES:
        with pytest.raises(ValueError, match=f"row {ROW} of observation: .*{message}"):
            read_positions(CONFIG, changed(changes).observation)


@pytest.mark.parametrize("name", ["random", "lowest", "highest"])
def test_any_number_but_0_in_a_mask_allows_a_card(name: str) -> None:
    arguments = stages(CONFIG)
    other = arguments._replace(action_mask=-7 * arguments.action_mask)
    assert np.array_equal(choose(name, CONFIG, other), choose(name, CONFIG, arguments))
