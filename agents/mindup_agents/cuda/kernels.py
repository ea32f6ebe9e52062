"""Kernels with a thread for each row of features. Each calls what the CPU calls for one row."""

from typing import Any

from mindup_agents.features.plain import write_slots, write_table
from mindup_agents.heuristics.observed_cards import set_of_nonzero
from mindup_agents.heuristics.observed_games import KnownCards, read_game
from mindup_env.cuda.support import cuda, kernel
from mindup_env.engine.state import Games, Rules
from mindup_env.observation.layout import Offsets


@kernel
def read_rows(arrays: Any, offsets: Any, observation: Any) -> None:
    """Fills the games of the rows (B,) from observations (B, D), which an environment wrote."""
    row = cuda.grid(1)
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    if row < len(games.clock):
        read_game(rules, games, known, row, Offsets(*offsets), observation[0][row])


@kernel
def fill_plain_tables(observation: Any, scales: Any, out: Any) -> None:
    """Fills the features of the table of plain-1 in ``out`` (B, size), a thread for each."""
    i = cuda.grid(1)
    size = len(scales[0])
    row, entry = i // size, i % size
    if row < len(out[0]):
        one = slice(entry, entry + 1)
        write_table(observation[0][row, one], scales[0][one], out[0][row, one])


@kernel
def fill_plain_slots(arrays: Any, action_mask: Any, scales: Any, out: Any) -> None:
    """Fills the rest of ``out`` (B, size), from masks (B, num_cards)."""
    row = cuda.grid(1)
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    if row < len(out[0]):
        allowed = set_of_nonzero(action_mask[0][row])
        write_slots(rules, games, known, row, allowed, out[0][row, len(scales[0]) :])
