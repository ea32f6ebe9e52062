"""RLlib's worker: it plays whole games at many tables, all decisions of a turn in one call.

RLlib's own runner of multi-agent environments asks each table for dicts, seat by seat, and is many
times slower. What it gives is the same: an episode for every seat.
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
from mindup_training.rllib.episodes import SHARED, Game, episodes
from mindup_training.rllib.worker_envs import WorkerEnvs, WorkerShare
from mindup_training.settings import TrainSettings
from mindup_training.threads import limit_threads

SETTINGS = "settings"
"""Where they stand in RLlib's config of the environment, as plain data."""
WIN_SHARE = "win_share_mean"
_ALL = 10**6
"""A window that holds all values of a rollout; they are forgotten after it."""


class Pool(NamedTuple):
    """The snapshots to play against."""

    policies: tuple[Policy, ...]
    share: float


class Order(NamedTuple):
    """What a rollout plays."""

    episode: int  # the number of its first game
    pool: "ray.ObjectRef[Pool] | None"
    pool_number: int  # 0 for none; another pool has another number


class TableRunner(EnvRunner):
    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        limit_threads(1)  # workers would take each other's cores
        settings = TrainSettings.from_dict(config.env_config[SETTINGS])
        share = WorkerShare(self.worker_index - 1, config.num_env_runners)
        self._worker_envs = WorkerEnvs(settings, share)
        self._seed_of_all, self._number = settings.seed, share.number
        self._games_in_a_sample = settings.ppo.rollout_games
        self._at_a_table = len(self._worker_envs.rows) // share.of(settings.ppo.num_envs)
        self._num_cards = settings.configs[0].num_cards
        self._episode, self._pool_number = 0, 0
        spec = self.config.get_multi_rl_module_spec(spaces=self.get_spaces(), inference_only=True)
        self.module: MultiRLModule = spec.build()
        self.fault: str | None = None

    def apply(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Keeps an error for the learner to raise.

        RLlib would end this process and start another, and that would err again and again.
        """
        try:
            return func(self, *args, **kwargs)
        except Exception:
            self.fault = traceback.format_exc()
            raise

    def begin(self, order: Order) -> None:
        """Is told before every rollout: a worker that died and came back knows nothing.

        Deals and chances of a rollout depend on its number alone, so a resumed run has the same.
        """
        self._episode = order.episode
        seed = np.random.SeedSequence((self._seed_of_all, self._number, order.episode))
        torch.manual_seed(int(seed.generate_state(1)[0]))
        if order.pool is not None and order.pool_number != self._pool_number:
            self._worker_envs.invite(*ray.get(order.pool))
            self._pool_number = order.pool_number

    def sample(self, **_: Any) -> list[SingleAgentEpisode]:
        """Whole games, as many at each table as a rollout has."""
        return [each for _ in range(self._games_in_a_sample) for each in self._play()]

    @torch.no_grad()
    def _play(self) -> list[SingleAgentEpisode]:
        worker_envs, module = self._worker_envs, self.module[SHARED]
        odds_class = module.get_exploration_action_dist_cls()
        game = Game.empty(worker_envs.num_turns, *worker_envs.rows.shape, self._num_cards)
        worker_envs.deal(self._episode)
        name, seats = f"{self._number}-{self._episode}", worker_envs.seats
        self._episode += 1
        shares = np.zeros(len(seats), np.float32)
        for turn in range(worker_envs.num_turns):
            game.rows[turn:] = worker_envs.rows
            judged = module.forward_exploration({Columns.OBS: torch.from_numpy(worker_envs.rows)})
            odds = odds_class.from_logits(judged[Columns.ACTION_DIST_INPUTS])
            cards = odds.sample()
            game.cards[turn] = cards
            game.log_odds[turn] = odds.logp(cards)
            game.logits[turn] = judged[Columns.ACTION_DIST_INPUTS]
            game.rewards[turn], shares = worker_envs.step(game.cards[turn])
        self._log(game, shares)
        return list(episodes(game, name, seats, self._at_a_table))

    def _log(self, game: Game, shares: npt.NDArray[np.float32]) -> None:
        turns, learners = game.rewards.shape
        steps = turns * learners // self._at_a_table
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED, steps, reduce="sum")
        self.metrics.log_value(NUM_ENV_STEPS_SAMPLED_LIFETIME, steps, reduce="lifetime_sum")
        means = {EPISODE_RETURN_MEAN: game.rewards.sum(axis=0).mean(), WIN_SHARE: shares.mean()}
        for key, value in means.items():
            self.metrics.log_value(key, float(value), window=_ALL)

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
        """It is made whole or not at all."""
