"""The settings of ``mindup train``, which trains with MaskablePPO of sb3-contrib."""

from mindup_agents.mixture import parse_share
from mindup_env.settings.declaration import option, settings
from mindup_training.settings.hyperparameters import PPOHyperparameters, check_rollout
from mindup_training.settings.run_settings import RunSettings


@settings(kw_only=True)
class TrainSettings(PPOHyperparameters, RunSettings):
    """MaskablePPO at one seat of each game, against bots."""

    opponents: tuple[str, ...] = option(
        "bots to train against, each with an optional weight, such as 2:greedy 1:random; they are "
        "drawn anew for each seat of each game",
        default=("random",),
        metavar="[WEIGHT:]BOT",
    )
    epochs: int = 3
    learning_rate: float = 1e-3
    clip_range_vf: float | None = option(
        "clip range of the values (default: not clipped)",
        default=None,
        above=0,
        high=10.0,
        rare=True,
    )
    normalize_advantage: bool = option(
        "normalize the advantages in each minibatch", default=True, rare=True
    )
    target_kl: float | None = option(
        "end the passes over a rollout where the KL divergence from the policy that played it "
        "exceeds 1.5 times this (default: never)",
        default=None,
        above=0,
        high=100.0,
        rare=True,
    )

    def __post_init__(self) -> None:
        if not self.opponents:
            raise ValueError("opponents must not be empty")
        for text in self.opponents:
            parse_share(text)
        rollout = self.num_envs * self.game.num_turns
        check_rollout(rollout)
        # The advantage of a single decision cannot be normalized.
        if 1 in (self.batch_size, rollout % self.batch_size):
            raise ValueError(
                f"batch_size must not leave a minibatch of a single decision: a rollout has "
                f"{rollout} decisions, in minibatches of {self.batch_size}"
            )
        super().__post_init__()
