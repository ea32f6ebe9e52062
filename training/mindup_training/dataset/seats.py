"""The seats of a chunk: which games it has, and which bot sits where."""

from typing import NamedTuple

import numpy as np

from mindup_arena.schedule import Chunk, Match, chunks, matches
from mindup_env.engine.state import Int64Array
from mindup_training.dataset.settings import DatasetSettings


class ChunkSeats(NamedTuple):
    """The S seats of the games of a chunk, game by game.

    Attributes:
        deal: the number of the deal (S,).
        rotation: the seat rotation (S,).
        seat: the seat (S,).
        bot: the bot, as an index into the bots of the settings (S,).
    """

    deal: Int64Array  # (S,)
    rotation: Int64Array  # (S,)
    seat: Int64Array  # (S,)
    bot: Int64Array  # (S,)


def num_rotations(match: Match) -> int:
    """The number of rotations that seat the bots differently; the games of any more are copies."""
    places = range(1, len(match) + 1)
    return next(count for count in places if match[count:] + match[:count] == match)


def seats_of(settings: DatasetSettings, chunk: Chunk) -> ChunkSeats:
    match, players = matches(settings)[chunk.match], settings.config.num_players
    grids = np.meshgrid(
        np.array(chunk.deals), np.arange(num_rotations(match)), np.arange(players), indexing="ij"
    )
    deal, rotation, seat = (grid.ravel() for grid in grids)
    return ChunkSeats(deal, rotation, seat, np.array(match)[(seat - rotation) % players])


def num_rows(settings: DatasetSettings, chunk: Chunk) -> int:
    config, match = settings.config, matches(settings)[chunk.match]
    games = len(chunk.deals) * num_rotations(match)
    return games * config.num_players * config.num_turns


def total_rows(settings: DatasetSettings) -> int:
    """The number of decisions in a dataset."""
    return sum(num_rows(settings, chunk) for chunk in chunks(settings))
