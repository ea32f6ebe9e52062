"""Observations that no game can show are refused before compiled code uses them."""

from typing import Any

import numpy as np
import pytest

from mindup_env import GameConfig
from mindup_env.observation import layout_of
from tests.agents.bots import choose, make_quick, playable
from tests.agents.positions import ActArguments, stages

CONFIG = GameConfig(3, 2)
READERS = [name for name in playable(CONFIG) if name not in ("random", "lowest", "highest")]
ROW = 9
"""In this row it is turn 4 of round 2."""

Changes = dict[str, tuple[Any, Any]]
CHANGES: list[Changes] = [
    {"round": (..., 127)},
    {"round": (..., 0)},
    {"turn": (..., -1)},
    {"turn": (..., 8)},
    {"turn": (..., 5)},
    {"score_cards": (0, 100)},
    {"score_cards": (..., 3)},
    {"row": (..., 0)},
    {"row": (..., 9)},
    {"row_players": (0, 90)},
    {"row_players": (..., 1)},
    {"objectives": (..., 0)},
    {"objectives": (..., 1)},
    {"columns": ((1, 2), 6)},
    {"columns": ((2, 0), -7)},
    {"unknown": (1, -1)},
    {"unknown": (2, 0), "known": ((2, ...), 0)},
    {"hand": (..., 0)},
    {"hand": (..., 1)},
    {"tableaux": ((1, ...), 1)},
    {"tableaux": ((0, ...), 0)},
]


def contradictions() -> list[Changes]:
    """A row in another order, a known card that is not held, fewer than no hidden cards."""
    seen = layout_of(CONFIG).views(stages(CONFIG).observation[ROW])
    visible = seen["hand"] + (seen["row"] > 0) + (seen["tableaux"] + seen["known"]).sum(axis=0)
    held, unseen = np.flatnonzero(seen["known"][0]), np.flatnonzero(visible == 0)
    hidden = seen["unknown"][1] - len(unseen)
    return [
        {"row": (np.flatnonzero(seen["row"])[:2], [2, 1])},
        {"known": ((0, [held[0], unseen[0]]), [0, 1])},
        {"known": ((1, unseen), 1), "unknown": (1, hidden)},
    ]


CHANGES += contradictions()


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
    for changes in CHANGES:
        with pytest.raises(ValueError, match=f"row {ROW} of observation: "):
            agent.act(*changed(changes))
    few = stages(CONFIG).pick([1, ROW])
    assert np.array_equal(agent.act(*few), choose(name, CONFIG, few))


@pytest.mark.parametrize("name", ["random", "lowest", "highest"])
def test_any_number_but_0_in_a_mask_allows_a_card(name: str) -> None:
    arguments = stages(CONFIG)
    other = arguments._replace(action_mask=-7 * arguments.action_mask)
    assert np.array_equal(choose(name, CONFIG, other), choose(name, CONFIG, arguments))


@pytest.mark.parametrize(
    "wrong", [None, [1] * CONFIG.num_cards, np], ids=["none", "list", "module"]
)
def test_a_mask_that_is_no_array_is_refused(wrong: Any) -> None:
    """NumPy itself has a ``shape`` too."""
    with pytest.raises(ValueError, match="action_mask must be int8 of shape"):
        choose("random", CONFIG, stages(CONFIG)._replace(action_mask=wrong))
