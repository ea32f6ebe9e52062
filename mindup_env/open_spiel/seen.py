"""What a seat sees of a course, and what it has seen, as vectors and as texts."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env import env_kernels
from mindup_env.engine.state import Int8Array
from mindup_env.game import Game
from mindup_env.observation import layout_of
from mindup_env.open_spiel.history_state import HistoryState


class Visibility(NamedTuple):
    """Which part of what there is to see."""

    private: bool = True  # the hand
    public: bool = True  # all else


def observation(table: Game, player: int, visible: Visibility) -> Int8Array:
    """The vector of one seat, with 0 for what is not in its share."""
    config = table.config
    layout = layout_of(config)
    vectors = np.zeros((1, config.num_players, layout.size), np.int8)
    masks = np.zeros((1, config.num_players, config.num_cards), np.int8)
    env_kernels.observe_all(table.batch.arrays, tuple(layout.offsets), vectors, masks)
    seen: Int8Array = vectors[0, player]
    if not visible.private:
        seen[: layout.offsets.row] = 0  # the hand comes first
    if not visible.public:
        seen[layout.offsets.row :] = 0
    return seen


def observation_text(table: Game, player: int, visible: Visibility) -> str:
    """The parts of the vector that are not 0, each entry by its place."""
    layout = layout_of(table.config)
    views = layout.views(observation(table, player, visible))
    texts = (_part_text(name, view) for name, view in views.items())
    return "\n".join(filter(None, texts))


def recalled(history: HistoryState, player: int, visible: Visibility) -> Int8Array:
    """All that a seat has seen: its vector (num_turns + 1, size) before each turn, and at the end.

    The row of a turn says who played which card in the one before, so this is perfect recall.
    """
    config = history.chance.config
    seen = np.zeros((config.num_turns + 1, layout_of(config).size), np.int8)
    for turn, table in enumerate(history.tables):
        seen[turn] = observation(table, player, visible)
    return seen


def recalled_text(history: HistoryState, player: int, visible: Visibility) -> str:
    """The same in a few words: how each round began, and the cards of each turn."""
    lines = [f"player {player}"]
    for turn, table in enumerate(history.tables):
        if table.turn == 1 and not table.over:
            lines += _beginning(table, player, visible)
        if visible.public:
            lines += [f"turn {_numbers(cards)}" for cards in history.plays[turn : turn + 1]]
    if history.over and visible.public:
        lines.append(f"scores {_numbers(history.tables[-1].scores)}")
    return "\n".join(lines)


def _beginning(table: Game, player: int, visible: Visibility) -> list[str]:
    lines = []
    if visible.public:
        lines += [f"round {table.round}: score cards {_numbers(table.score_cards)}"]
        lines += [f"row {_numbers(table.row)}"]
        lines += ["objectives " + " ".join(sorted(table.objectives))] if table.objectives else []
        for other in range(table.config.num_players):
            known = table.known(other)  # and so what was left over in the round before
            lines += [f"known {other}: {_numbers(known)}"] if known else []
    if visible.private:
        lines += [f"hand {_numbers(table.hand(player))}"]
    return lines


def _part_text(name: str, view: npt.NDArray[np.int8]) -> str:
    entries = [
        f"{'.'.join(map(str, place))}={view[tuple(place)]}" for place in np.argwhere(view).tolist()
    ]
    return f"{name} {' '.join(entries)}" if entries else ""


def _numbers(cards: tuple[int, ...]) -> str:
    return " ".join(map(str, cards))
