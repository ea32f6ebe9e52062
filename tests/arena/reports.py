"""Reports of given results, and of games that are played in the process of the test."""

from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from mindup_arena.bot import DecisionTime
from mindup_arena.chunk import ChunkPlayer, PlayedChunk
from mindup_arena.failures import Forfeit
from mindup_arena.match import MatchResults
from mindup_arena.report import Report, make_report
from mindup_arena.schedule import Chunk, chunks, matches
from mindup_arena.settings import ArenaSettings
from mindup_env import GameConfig

TINY = ArenaSettings(("ann", "bob"), GameConfig(num_players=2), deals=2, chunk_deals=1)
TINY_SCORES = [[[30, 20], [10, 10]], [[40, 20], [30, 50]]]  # (deals, rotations, places)
TINY_RANKS = [[[0, 1], [0, 0]], [[0, 1], [1, 0]]]
TINY_TIMES = {0: DecisionTime(40, 2.0), 1: DecisionTime(40, 0.001)}


@cache
def tiny_report(*forfeits: Forfeit) -> Report:
    """Two deals, each a chunk, of ann against bob; the forfeits are in the second deal."""
    played = [
        PlayedChunk(
            chunk,
            MatchResults(
                np.array(TINY_SCORES[chunk.deals[0] :][:1]),
                np.array(TINY_RANKS[chunk.deals[0] :][:1]),
            ),
            forfeits if chunk.number == 1 else (),
            TINY_TIMES,
        )
        for chunk in chunks(TINY)
    ]
    return make_report(TINY, played)


@cache
def random_report(settings: ArenaSettings) -> Report:
    """A report of random results, in which every bot is a little better than the one before."""
    random = np.random.default_rng(settings.seed)
    all_matches = matches(settings)
    played = []
    for chunk in chunks(settings):
        match = np.array(all_matches[chunk.match])
        shape = len(chunk.deals), len(match), len(match)
        scores = np.round(80 + 4 * match + random.normal(0, 10, shape)).astype(np.int64)
        ranks = (scores[..., None, :] > scores[..., :, None]).sum(axis=-1)
        times = {0: DecisionTime(1000, 0.5)}
        played.append(PlayedChunk(chunk, MatchResults(scores, ranks), (), times))
    return make_report(settings, played)


def play_here(missing: Sequence[Chunk], settings: ArenaSettings, _: int) -> Iterator[PlayedChunk]:
    """Stands in for play_in_processes, which starts a process for each arena."""
    return map(ChunkPlayer(settings).play, missing)
