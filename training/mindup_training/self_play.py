"""Self-play as a setting: some of the opponents are snapshots of the policy in training."""

from dataclasses import dataclass

from mindup_env.checks import check_int

RULE = (
    "At every checkpoint the policy plays the newest snapshot of the pool, both drawing their "
    "cards by their odds; if it wins at least an equal share, or if the pool is empty, a snapshot "
    "of it enters. If that is one too many, the second oldest leaves: the oldest stays and shows "
    "what is forgotten. Each snapshot of the pool takes as many seats as any other; until the "
    "first has entered, the bots take all."
)
OLDEST, NEWEST = "oldest_snapshot", "newest_snapshot"
"""What they are called where the policy is evaluated against them."""


@dataclass(frozen=True)
class SelfPlay:
    share: float = 0.5  # of the opponents' seats; the bots of the mix have the others
    pool_size: int = 6

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ValueError(f"share must be more than 0 and at most 1, not {self.share}")
        check_int("pool_size", self.pool_size, 2)  # the oldest, and the newest
