"""An env runner of RLlib that plays many whole games, with one call for all decisions of a turn.

RLlib's own runner of multi-agent environments reads dicts from each game, seat by seat, and is many
times slower. The result is the same: one episode for each seat that learns.
"""

import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any

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
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer
from ray.rllib.utils.metrics import (
    EPISODE_RETURN_MEAN,
    NUM_ENV_STEPS_SAMPLED,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
)

from mindup_agents.policy import Policy
from mindup_training.envs import worker_games
from mindup_training.settings import TrainSettings
from mindup_training.trainer.learner import prepare_torch

SETTINGS = "settings"
"""Their key in RLlib's config of the environment; they are plain data there."""
SHARED = "shared"
"""The id of the one module, which plays all seats that learn."""
MEAN_WIN_SHARE = "win_share_mean"
_WINDOW = 10**6
"""Large enough for all values of a rollout; RLlib drops them after it."""


Snapshots = tuple[Sequence[Policy], float]
"""Snapshots to play against, and their share of the opponents' seats."""


class GameRunner(EnvRunner):
    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        prepare_torch(1)  # there is a worker for every core
        self._settings = TrainSettings.from_dict(config.env_config[SETTINGS])
        self._worker = self.worker_index - 1
        self.games = worker_games(self._settings, self._worker, config.num_env_runners)
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

    def prepare(
        self, episode: int, snapshots: "ray.ObjectRef[Snapshots] | None" = None, version: int = 0
    ) -> None:
        """Is called before every rollout, because a worker that was restarted knows nothing.

        Deals and samples of a rollout depend on the number of its first game alone, so a resumed
        run has the same. Snapshots of a version that the worker has are not read again.
        """
        self._episode = episode
        seed = np.random.SeedSequence((self._settings.seed, self._worker, episode))
        torch.manual_seed(int(seed.generate_state(1)[0]))
        if snapshots is not None and version != self._snapshots_version:
            self.games.set_snapshots(*ray.get(snapshots))
            self._snapshots_version = version

    def sample(self, **_: Any) -> list[SingleAgentEpisode]:
        """Plays the games of one rollout."""
        rollout_games = self._settings.ppo.rollout_games
        return [each for _ in range(rollout_games) for each in self._play()]

    @torch.no_grad()
    def _play(self) -> Iterator[SingleAgentEpisode]:
        """Plays a game in each environment: an episode for each learner, game after game."""
        games, module = self.games, self.module[SHARED]
        distribution_class = module.get_exploration_action_dist_cls()
        games.deal((self._settings.seed, self._worker), self._episode)
        name, seats = f"{self._worker}-{self._episode}", games.seats.tolist()
        self._episode += 1
        turns, learners = games.num_turns, len(seats)
        # RLlib requires an observation after the last decision; its value is not used.
        rows = np.zeros((turns + 1, *games.rows.shape), np.float32)
        cards = np.zeros((turns, learners), np.int64)
        logprobs, rewards = np.zeros((2, turns, learners), np.float32)
        logits = np.zeros((turns, learners, games.num_cards), np.float32)
        for turn in range(turns):
            rows[turn:] = games.rows
            output = module.forward_exploration({Columns.OBS: torch.from_numpy(games.rows)})
            distribution = distribution_class.from_logits(output[Columns.ACTION_DIST_INPUTS])
            chosen = distribution.sample()
            cards[turn], logprobs[turn] = chosen, distribution.logp(chosen)
            logits[turn] = output[Columns.ACTION_DIST_INPUTS]
            rewards[turn], win_shares, _ = games.step(cards[turn])
        learning_seats = games.learning_seats
        steps = turns * learners // learning_seats
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED, steps, reduce="sum")
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED_LIFETIME, steps, reduce="lifetime_sum")
        means = {EPISODE_RETURN_MEAN: rewards.sum(axis=0).mean(), MEAN_WIN_SHARE: win_shares.mean()}
        for key, value in means.items():
            self.metrics.log_value(key, float(value), window=_WINDOW)
        for learner, seat in enumerate(seats):
            yield SingleAgentEpisode(
                id_=f"{name}-{learner}",
                agent_id=f"player_{seat}",
                module_id=SHARED,
                multi_agent_episode_id=f"{name}-{learner // learning_seats}",
                observations=_buffer(rows[:, learner]),
                actions=_buffer(cards[:, learner]),
                rewards=_buffer(rewards[:, learner]),
                extra_model_outputs={
                    Columns.ACTION_LOGP: _buffer(logprobs[:, learner]),
                    Columns.ACTION_DIST_INPUTS: _buffer(logits[:, learner]),
                },
                terminated=True,
                len_lookback_buffer=0,
            )

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
            is_reference = isinstance(weights, ray.ObjectRef)
            self.module.set_state(ray.get(weights) if is_reference else weights)

    def assert_healthy(self) -> None:
        """Does nothing: a runner is built completely or not at all."""


def _buffer(values: npt.NDArray[np.generic]) -> InfiniteLookbackBuffer:
    """An array as RLlib's own buffers hold it, without a list of single values first."""
    buffer = InfiniteLookbackBuffer()
    buffer.data = np.ascontiguousarray(values)
    buffer.finalized = True
    return buffer
