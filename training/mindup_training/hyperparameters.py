"""The options that several learners share."""

from dataclasses import dataclass

from mindup_env.settings.options import option
from mindup_training import limits


@dataclass(frozen=True, kw_only=True)
class PPOHyperparameters:
    """How PPO values and weighs the decisions that it learns from."""

    # Every game ends, and a point counts the same in each turn.
    gamma: float = option("discount factor", default=1.0, above=0, high=1)
    # Low, because later turns add much noise, and the value network predicts their mean.
    gae_lambda: float = option("lambda of the advantage estimates", default=0.5, low=0, high=1)
    clip_range: float = option(
        "clip range of the probability ratio", default=0.2, above=0, high=limits.MAX_CLIP_RANGE
    )
    ent_coef: float = option(
        "weight of the entropy bonus", default=0.02, low=0, high=limits.MAX_ENT_COEF
    )
    vf_coef: float = option("weight of the value loss", default=0.5, low=0, high=limits.MAX_VF_COEF)
    max_grad_norm: float = option(
        "largest norm of a gradient", default=0.5, above=0, high=limits.MAX_GRAD_NORM
    )


@dataclass(frozen=True, kw_only=True)
class RandomnessOptions:
    """What the rounding and the random numbers of a learner depend on."""

    seed: int = option("random seed", default=0, low=0, high=2**32 - 1)
    threads: int = option(
        "number of threads; games and features are the same with every number, but sums of PyTorch "
        "differ slightly",
        default=1,
        low=1,
        high=limits.MAX_THREADS,
    )
