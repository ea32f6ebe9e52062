"""An env runner of RLlib that plays many whole games, with one call for all decisions of a turn.

RLlib's own runner of multi-agent environments reads dicts from each game, seat by seat, and is many
times slower. The result is the same: one episode for each seat that learns.
"""

import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import ray
import torch
from gymnasium import spaces
from ray.rllib.core import COMPONENT_RL_MODULE
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module import MultiRLModule
from ray.rllib.env import INPUT_ENV_SINGLE_SPACES, INPUT_ENV_SPACES
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.utils.metrics import (
    EPISODE_RETURN_MEAN,
    NUM_ENV_STEPS_SAMPLED,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
)

from mindup_agents.policy import Policy
from mindup_training.learners.rllib.episodes import SHARED, Trajectories, episodes
from mindup_training.learners.rllib.worker_envs import WorkerEnvs, WorkerShare
from mindup_training.settings import TrainSettings
from mindup_training.train.learner import limit_threads

SETTINGS = "settings"
"""Their key in RLlib's config of the environment; they are plain data there."""
MEAN_WIN_SHARE = "win_share_mean"
_WINDOW = 10**6
"""Large enough for all values of a rollout; RLlib drops them after it."""


class Snapshots(NamedTuple):
    """Snapshots to play against, and their share of the opponents' seats."""

    policies: tuple[Policy, ...]
    share: float


class RolloutTask(NamedTuple):
    """What a rollout plays."""

    episode: int  # the number of its first game
    snapshots: "ray.ObjectRef[Snapshots] | None"
    version: int  # of the snapshots; 0 for none


class GameRunner(EnvRunner):
    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        limit_threads(1)  # there is a worker for every core
        settings = TrainSettings.from_dict(config.env_config[SETTINGS])
        share = WorkerShare(self.worker_index - 1, config.num_env_runners)
        self._worker_envs = WorkerEnvs(settings, share)
        self._run_seed, self._worker = settings.seed, share.worker
        self._rollout_games = settings.ppo.rollout_games
        self._learning_seats = len(self._worker_envs.rows) // share.of(settings.ppo.num_envs)
        self._num_cards = settings.configs[0].num_cards
        self._episode, self._snapshots_version = 0, 0
        spec = self.config.get_multi_rl_module_spec(spaces=self.get_spaces(), inference_only=True)
        self.module: MultiRLModule = spec.build()
        self.error: str | None = None

    def apply(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Keeps an error for the learner to raise.

        RLlib would replace this process, and the new one would fail again and again.
        """
        try:
            return func(self, *args, **kwargs)
        except Exception:
            self.error = traceback.format_exc()
            raise

    def prepare(self, task: RolloutTask) -> None:
        """Is called before every rollout, because a worker that was restarted knows nothing.

        Deals and samples of a rollout depend on its number alone, so a resumed run has the same.
        """
        self._episode = task.episode
        seed = np.random.SeedSequence((self._run_seed, self._worker, task.episode))
        torch.manual_seed(int(seed.generate_state(1)[0]))
        if task.snapshots is not None and task.version != self._snapshots_version:
            self._worker_envs.set_snapshots(*ray.get(task.snapshots))
            self._snapshots_version = task.version

    def sample(self, **_: Any) -> list[SingleAgentEpisode]:
        """Plays the games of one rollout."""
        return [each for _ in range(self._rollout_games) for each in self._play()]

    @torch.no_grad()
    def _play(self) -> list[SingleAgentEpisode]:
        worker_envs, module = self._worker_envs, self.module[SHARED]
        distribution_class = module.get_exploration_action_dist_cls()
        played = Trajectories.empty(worker_envs.num_turns, *worker_envs.rows.shape, self._num_cards)
        worker_envs.reset(self._episode)
        name, seats = f"{self._worker}-{self._episode}", worker_envs.seats
        self._episode += 1
        win_shares = np.zeros(len(seats), np.float32)
        for turn in range(worker_envs.num_turns):
            played.rows[turn:] = worker_envs.rows
            output = module.forward_exploration({Columns.OBS: torch.from_numpy(worker_envs.rows)})
            distribution = distribution_class.from_logits(output[Columns.ACTION_DIST_INPUTS])
            cards = distribution.sample()
            played.cards[turn] = cards
            played.logprobs[turn] = distribution.logp(cards)
            played.logits[turn] = output[Columns.ACTION_DIST_INPUTS]
            played.rewards[turn], win_shares = worker_envs.step(played.cards[turn])
        self._log(played, win_shares)
        return list(episodes(played, name, seats, self._learning_seats))

    def _log(self, played: Trajectories, win_shares: npt.NDArray[np.float32]) -> None:
        turns, learners = played.rewards.shape
        steps = turns * learners // self._learning_seats
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED, steps, reduce="sum")
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED_LIFETIME, steps, reduce="lifetime_sum")
        returns = played.rewards.sum(axis=0)
        means = {EPISODE_RETURN_MEAN: returns.mean(), MEAN_WIN_SHARE: win_shares.mean()}
        for key, value in means.items():
            self.metrics.log_value(key, float(value), window=_WINDOW)

    def get_metrics(self) -> Any:
        return self.metrics.reduce()

    def get_spaces(self) -> dict[str, tuple[spaces.Space[Any], spaces.Space[Any]]]:
        own = self.config.observation_space, self.config.action_space
        return {
            **dict.fromkeys((INPUT_ENV_SPACES, INPUT_ENV_SINGLE_SPACES), own),
            SHARED: tuple(next(iter(each.values())) for each in own),
        }

    def get_state(self, *_: Any, **__: Any) -> dict[str, Any]:
        return {COMPONENT_RL_MODULE: self.module.get_state()}

    def set_state(self, state: dict[str, Any]) -> None:
        if COMPONENT_RL_MODULE in state:
            weights = state[COMPONENT_RL_MODULE]
            self.module.set_state(
                ray.get(weights) if isinstance(weights, ray.ObjectRef) else weights
            )

    def assert_healthy(self) -> None:
        """Does nothing: a runner is built completely or not at all."""
