"""Reports made of given results."""

from functools import cache

import numpy as np

from mindup_arena.chunk import Outcome
from mindup_arena.guarded_bot import Forfeit
from mindup_arena.report import Report, make_report
from mindup_arena.schedule import chunks, line_ups
from mindup_arena.settings import ArenaSettings
from mindup_arena.tables import GameResults
from mindup_arena.worker import Done, Spent
from mindup_env import GameConfig

TINY = ArenaSettings(("ann", "bob"), GameConfig(num_players=2), deals=2, chunk_deals=1)
TINY_SCORES = [[[30, 20], [10, 10]], [[40, 20], [30, 50]]]  # (deals, rotations, places)
TINY_RANKS = [[[0, 1], [0, 0]], [[0, 1], [1, 0]]]
TINY_SPENT = {0: Spent(40, 2.0), 1: Spent(40, 0.001)}


@cache
def tiny_report(*forfeits: Forfeit) -> Report:
    """Two deals, each a chunk, of ann against bob; the forfeits are of the second deal."""
    done = [
        Done(
            Outcome(
                chunk,
                GameResults(
                    np.array(TINY_SCORES[chunk.deals[0] :][:1]),
                    np.array(TINY_RANKS[chunk.deals[0] :][:1]),
                ),
                forfeits if chunk.number == 1 else (),
            ),
            TINY_SPENT,
        )
        for chunk in chunks(TINY)
    ]
    return make_report(TINY, done)


def drawn_report(settings: ArenaSettings) -> Report:
    """Of random results; every bot is a little better than the one before."""
    random = np.random.default_rng(settings.seed)
    of_all = line_ups(settings)
    done = []
    for chunk in chunks(settings):
        line_up = np.array(of_all[chunk.line_up])
        shape = len(chunk.deals), len(line_up), len(line_up)
        scores = np.round(80 + 4 * line_up + random.normal(0, 10, shape)).astype(np.int64)
        ranks = (scores[..., None, :] > scores[..., :, None]).sum(axis=-1)
        done.append(Done(Outcome(chunk, GameResults(scores, ranks), ()), {0: Spent(1000, 0.5)}))
    return make_report(settings, done)
