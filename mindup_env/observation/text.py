"""What one seat sees, put in the form in which tables are drawn.

An observation counts the players from the viewer, so they are you, you+1, you+2, ...
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.cards import COLOURS
from mindup_env.config import GameConfig
from mindup_env.game.table import Player, Table
from mindup_env.objectives import OBJECTIVES
from mindup_env.observation import layout_of

_Views = dict[str, npt.NDArray[Any]]


def table_of(observation: npt.NDArray[np.int8], config: GameConfig) -> Table:
    """The table of one observation (size,), before its game is over."""
    seen = layout_of(config).views(observation)
    return Table(
        config,
        int(seen["round"]),
        int(seen["turn"]),
        (),
        [
            (OBJECTIVES[index].id, np.flatnonzero(seen["objectives_met"][:, index]).tolist())
            for index in np.flatnonzero(seen["objectives"]).tolist()
        ],
        _row(seen),
        seen["score_cards"].tolist(),
        [_player(seen, place, config) for place in range(config.num_players)],
    )


def _row(seen: _Views) -> list[tuple[int, int | None]]:
    owners = [player - 1 if player else None for player in seen["row_players"].tolist()]
    return list(zip(_cards(seen["row"]), owners, strict=True))


def _player(seen: _Views, place: int, config: GameConfig) -> Player:
    name = f"you+{place}" if place else "you"
    known = _cards(seen["known"][place])
    unknown: list[int | None] = [None] * int(seen["unknown"][place])
    return Player(
        name,
        name,
        f"hand of {name}" if place else "your hand",
        _columns(seen, place, config),
        int(seen["running_scores"][place]),
        int(seen["round_scores"][place].sum()),
        known,
        unknown if place else [card for card in _cards(seen["hand"]) if card not in known],
    )


def _columns(seen: _Views, place: int, config: GameConfig) -> list[list[int]]:
    """The cards of each column; the order in which they were placed is not seen."""
    columns: list[list[int]] = [[] for _ in seen["counts"][place]]
    for card in _cards(seen["tableaux"][place]):
        colour = COLOURS.index(config.deck[card].colour)
        columns[seen["columns"][place, colour] - 1].append(card)
    return columns


def _cards(marks: npt.NDArray[Any]) -> list[int]:
    numbers: list[int] = (np.flatnonzero(marks) + 1).tolist()
    return numbers
