"""The settings of an experiment: its seeds, and how the final policies are evaluated."""

from mindup_arena.settings import MAX_DEALS
from mindup_env.settings.declaration import option, settings
from mindup_training.train.evaluation import EVALUATION_SEED

FINAL_SEED = 2 * EVALUATION_SEED
"""The deals of the final evaluations occur in no training, and in no evaluation during it."""

_MAX_SEEDS = 10_000  # each is a whole training
_LAST_SEED = 2**32 - 1


@settings(kw_only=True)
class ExperimentSettings:
    """What an experiment does with each entry.

    The policy that a run ends with is evaluated over the same deals as all others, whatever
    learner made it.
    """

    seeds: int = option("runs of each entry, with a seed each", default=5, low=1, high=_MAX_SEEDS)
    first_seed: int = option(
        "first of the seeds; experiments with other seeds can be merged in one report",
        default=0,
        low=0,
        high=_LAST_SEED,
    )
    evaluate_against: tuple[str, ...] = option(
        "bots to evaluate the final policies against (default: those of the presets)",
        default=(),
        metavar="BOT",
    )
    evaluation_deals: int = option(
        "deals per bot in this evaluation, each played from every seat",
        default=500,
        low=1,
        high=MAX_DEALS,
    )

    def __post_init__(self) -> None:
        if self.first_seed + self.seeds - 1 > _LAST_SEED:
            raise ValueError(f"the last seed must be at most {_LAST_SEED}")
        if len({*self.evaluate_against}) < len(self.evaluate_against):
            raise ValueError("evaluate_against must name each bot once")

    @property
    def all_seeds(self) -> range:
        """The seeds of each entry."""
        return range(self.first_seed, self.first_seed + self.seeds)
