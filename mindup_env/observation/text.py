"""The table as text, from one observation: everything that one seat sees, and nothing else.

An observation counts the players from the viewer, so they are named you, you+1, you+2, ...
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.cards import COLOURS, card_of
from mindup_env.config import GameConfig
from mindup_env.game.table import PlayerView, TableView, draw_table
from mindup_env.objectives import OBJECTIVES
from mindup_env.observation.layout import layout_of

_Views = dict[str, npt.NDArray[Any]]


def observation_text(observation: npt.NDArray[np.int8], config: GameConfig) -> str:
    """An observation as text, for a person or a language model that plays the seat.

    The text is made of the observation alone, so it holds no hidden card. Cards are printed
    numbers (action ``a`` plays card number ``a + 1``), and the players are you, you+1, you+2, ...
    in seat order.

    Args:
        observation: what one seat sees, int8 (size,).
        config: the rules of the game.

    Returns:
        Several lines: the round and turn, the objectives and who meets them, the prizes and who
        played them, every tableau with its scores, and every hand, with ``(?)`` for a card that the
        viewer does not know. After the end the hands are empty; the winners are not named.
    """
    return draw_table(observation_table(observation, config))


def observation_table(observation: npt.NDArray[np.int8], config: GameConfig) -> TableView:
    """The table that ``observation_text`` draws."""
    seen = layout_of(config).views(observation)
    played_by = [player - 1 if player else None for player in seen["row_players"].tolist()]
    return TableView(
        config,
        int(seen["round"]),
        int(seen["turn"]),
        (),
        [
            (OBJECTIVES[index].id, np.flatnonzero(seen["objectives_met"][:, index]).tolist())
            for index in np.flatnonzero(seen["objectives"]).tolist()
        ],
        list(zip(cards_of(seen["row"]), played_by, strict=True)),
        seen["score_cards"].tolist(),
        [_player_view(seen, player) for player in range(config.num_players)],
    )


def _player_view(seen: _Views, player: int) -> PlayerView:
    name = f"you+{player}" if player else "you"
    finished = int(seen["round"]) - (1 if seen["hand"].any() else 0)
    known = cards_of(seen["known"][player])
    unknown: list[int | None] = [None] * int(seen["unknown"][player])
    return PlayerView(
        name,
        name,
        f"hand of {name}" if player else "your hand",
        _columns(seen, player),
        int(seen["running_scores"][player]),
        seen["round_scores"][player, :finished].tolist(),
        known,
        unknown if player else [card for card in cards_of(seen["hand"]) if card not in known],
    )


def _columns(seen: _Views, player: int) -> list[list[int]]:
    """The cards of each column, ascending: an observation has no order of placement."""
    columns: list[list[int]] = [[] for _ in seen["counts"][player]]
    for card in cards_of(seen["tableaux"][player]):
        colour = COLOURS.index(card_of(card).colour)
        columns[seen["columns"][player, colour] - 1].append(card)
    return columns


def cards_of(marks: npt.NDArray[Any]) -> list[int]:
    """The numbers, ascending, of the cards that a part of an observation marks."""
    numbers: list[int] = (np.flatnonzero(marks) + 1).tolist()
    return numbers
