"""Neural fictitious self-play in one file: read it from top to bottom, copy it, change it.

``python -m mindup_training.nfsp --minutes 5`` trains a policy. Double DQN learns a best response to
all seats, and the policy learns the average of what the best responses played: with probability
``anticipatory`` a seat plays a game by the first, else by the second.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import nll_loss

from mindup_env.settings.declaration import option, settings
from mindup_training import log_probs, run_learner
from mindup_training.dqn import DQN, DQNConfig
from mindup_training.network import make_network
from mindup_training.settings.hyperparameters import MAX_ROLLOUT


@settings(kw_only=True)
class NFSPConfig(DQNConfig):
    """Hyperparameters, each also an option of the command line."""

    learner: str = "nfsp"
    anticipatory: float = option(
        "probability that a seat plays a game by the best response, and not by the average policy",
        default=0.1,
        above=0,
        high=1,
    )
    reservoir: int = option(
        "decisions of the best responses that are kept, a random sample of all",
        default=100_000,
        low=1,
        high=MAX_ROLLOUT,
    )


class NFSP(DQN):
    """The policy is the average strategy; the Q values have a network of their own."""

    settings_class = NFSPConfig
    config: NFSPConfig

    def __init__(self, config: NFSPConfig) -> None:
        super().__init__(config)
        self._kept_obs = torch.zeros(config.reservoir, self.games.shape.size)
        self._kept_actions = torch.zeros(config.reservoir, dtype=torch.int64)
        self._num_offered = torch.zeros((), dtype=torch.int64)  # to the reservoir so far
        self._responds = torch.zeros(self.games.num_seats, dtype=torch.bool)

    def make_q_network(self) -> nn.Module:
        return make_network(self.config.describe_policy())

    def kept_modules(self) -> dict[str, nn.Module]:
        return {**super().kept_modules(), "q_network": self._q_network}

    def kept_tensors(self) -> dict[str, Tensor]:
        own = self._kept_obs, self._kept_actions, self._num_offered
        names = "reservoir_obs", "reservoir_actions", "num_offered"
        return {**super().kept_tensors(), **dict(zip(names, own, strict=True))}

    @torch.no_grad()
    def collect_rollout(self, epsilon: float) -> None:
        draws = torch.rand(self.games.num_seats, generator=self.generator)
        self._responds = draws < self.config.anticipatory
        super().collect_rollout(epsilon)
        newest = (self._collected - 1) % self.config.replay_rollouts
        played = self._replay.obs[newest], self._replay.actions[newest]
        self._offer(*(each[:, self._responds].flatten(0, 1) for each in played))

    def choose(self, obs: Tensor, epsilon: float) -> Tensor:
        odds = log_probs(self.network(obs)).exp()
        average = torch.multinomial(odds, 1, generator=self.generator).squeeze(1)
        return torch.where(self._responds, super().choose(obs, epsilon), average)

    def loss(self) -> tuple[Tensor, Tensor]:
        """That of the Q values, and the log loss of a minibatch of the reservoir."""
        loss, value = super().loss()
        if filled := min(int(self._num_offered), self.config.reservoir):
            batch = torch.randint(filled, (self.config.batch_size,), generator=self.generator)
            logprobs = log_probs(self.network(self._kept_obs.index_select(0, batch)))
            loss = loss + nll_loss(logprobs, self._kept_actions[batch])
        return loss, value

    def _offer(self, obs: Tensor, actions: Tensor) -> None:
        """Keeps each decision with the same probability as all that were offered before."""
        numbers = self._num_offered + torch.arange(len(obs))
        draws = torch.rand(len(obs), generator=self.generator, dtype=torch.float64)
        drawn = (draws * (numbers + 1)).long()
        places = torch.where(numbers < self.config.reservoir, numbers, drawn)
        kept = places < self.config.reservoir
        # Of two decisions for one place, either may stay: both were equally likely to be kept.
        self._kept_obs[places[kept]] = obs[kept]
        self._kept_actions[places[kept]] = actions[kept]
        self._num_offered += len(obs)


def main(words: Sequence[str] | None = None) -> None:
    run_learner(NFSP, words)


if __name__ == "__main__":
    main()
