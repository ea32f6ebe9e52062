"""Hyperparameters of PPO, which both learners share, each declared once.

The largest number of each has its reason beside it, where it is not clear by itself.
"""

import math
from collections.abc import Callable

from mindup_env.settings.declaration import option, settings

MAX_EPOCHS = 1000  # a policy has long left the data by then
MAX_ROLLOUT = 2**22
"""Decisions of a rollout, which are kept in memory with their features: about 20 gigabytes."""

LEARNING_RATES: dict[str, Callable[[float], float]] = {
    "linear": lambda remaining: remaining,
    "cosine": lambda remaining: (1 - math.cos(math.pi * remaining)) / 2,
    "constant": lambda _: 1.0,
}
"""By name: maps what remains of the training, from 1 to 0, to a share of the initial rate."""


@settings(kw_only=True)
class PPOHyperparameters:
    """How PPO plays, values and weighs the decisions that it learns from."""

    # Observations of the most games fill a gigabyte.
    num_envs: int = option("games played in parallel", default=256, low=1, high=2**16)
    batch_size: int = option("decisions in a minibatch", default=1024, low=1, high=MAX_ROLLOUT)
    epochs: int = option("passes over the decisions", default=1, low=1, high=MAX_EPOCHS)
    # Adam moves each weight by about the learning rate.
    learning_rate: float = option("initial learning rate", default=3e-3, above=0, high=1.0)
    learning_rate_schedule: str = option(
        "linear or cosine: the learning rate decreases to 0 at the end; or constant",
        default="linear",
        choices=tuple(LEARNING_RATES),
        rare=True,
    )
    # Every game ends, and a point counts the same in each turn.
    gamma: float = option("discount factor", default=1.0, above=0, high=1, rare=True)
    # Low, because later turns add much noise, and the value network predicts their mean.
    gae_lambda: float = option(
        "lambda of the advantage estimates", default=0.5, low=0, high=1, rare=True
    )
    clip_range: float = option(
        "clip range of the probability ratio", default=0.2, above=0, high=10.0, rare=True
    )
    ent_coef: float = option(
        "weight of the entropy bonus", default=0.02, low=0, high=10.0, rare=True
    )
    vf_coef: float = option("weight of the value loss", default=0.5, low=0, high=100.0, rare=True)
    aux_coef: float = option(
        "weight of the auxiliary loss, of a network that has one",
        default=0.5,
        low=0,
        high=100.0,
        rare=True,
    )
    # The largest is as good as none.
    max_grad_norm: float = option(
        "largest norm of a gradient", default=0.5, above=0, high=1e6, rare=True
    )

    def learning_rate_at(self, remaining: float) -> float:
        """The learning rate where ``remaining``, from 1 to 0, of the training is left."""
        return self.learning_rate * LEARNING_RATES[self.learning_rate_schedule](remaining)


def check_rollout(decisions: int) -> None:
    """Refuses a rollout that does not fit into memory, or from which nothing can be learned."""
    if not 2 <= decisions <= MAX_ROLLOUT:
        raise ValueError(
            f"a rollout must have 2 to {MAX_ROLLOUT} decisions, not {decisions}: change num_envs "
            "or the length of the game"
        )
