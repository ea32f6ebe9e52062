"""What the end of a game is worth to each bot at the table."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from mindup_arena.tables import GameResults

Floats = npt.NDArray[np.float64]


def win_shares(played: GameResults) -> Floats:
    """Shares of the victory (deals, rotations, places)."""
    winners = played.ranks == 0
    return np.asarray(winners / winners.sum(axis=-1, keepdims=True))


def mean_ranks(played: GameResults) -> Floats:
    """Ranks from 1 (deals, rotations, places); who ties has the mean of the ranks they share."""
    tied = (played.ranks[..., :, None] == played.ranks[..., None, :]).sum(axis=-1)
    return np.asarray(played.ranks + (tied + 1) / 2)


def margins(played: GameResults) -> Floats:
    """Scores less the mean of the others at the table (deals, rotations, places)."""
    others = played.scores.shape[-1] - 1
    totals = played.scores.sum(axis=-1, keepdims=True)
    return np.asarray(played.scores - (totals - played.scores) / others)


WIN_SHARE = "win_share"
MEASURES: dict[str, Callable[[GameResults], Floats]] = {
    WIN_SHARE: lambda played: 100 * win_shares(played),  # per cent
    "mean_score": lambda played: played.scores.astype(np.float64),
    "mean_rank": mean_ranks,
    "margin": margins,
}
