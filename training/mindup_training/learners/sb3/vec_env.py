"""Many games as a VecEnv of Stable-Baselines3: one seat of each learns, bots act in batches."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from mindup_agents.policy import Policy
from mindup_env.envs.learner_tables import StepResults
from mindup_env.threads.pool import NumThreads
from mindup_training.envs import EnvConfig
from mindup_training.learners.sb3.single_seat_games import SingleSeatGames

Indices = int | Iterable[int] | None


class MindUpVecEnv(VecEnv):
    """All games end in the same step, and are then dealt anew.

    Between two games, the state is therefore the seed and the number of the ``episode``. The masks
    are one array for all games. Infos are empty until the games end. Games are never truncated,
    so there is no final observation. With any number of threads, the games are the same.
    """

    render_mode = None

    def __init__(
        self, env_config: EnvConfig, seed: int = 0, *, num_threads: NumThreads = 1
    ) -> None:
        configs = env_config.configs
        if not len(configs) <= env_config.num_envs:
            raise ValueError(
                f"num_envs must be at least {len(configs)}, one for each config, not "
                f"{env_config.num_envs}"
            )
        if len({(config.num_cards, config.num_turns) for config in configs}) != 1:
            raise ValueError("the configs must have equal decks and equally many turns")
        self.shape = env_config.feature_shape()
        self.num_turns = configs[0].num_turns
        self.episode = -1  # before the first deal
        self._seed = seed
        self._rows = np.zeros((env_config.num_envs, self.shape.size), np.float32)
        self._masks = np.zeros((env_config.num_envs, configs[0].num_cards), np.bool_)
        parts = np.array_split(np.arange(env_config.num_envs), len(configs))
        self._parts = [slice(part[0], part[-1] + 1) for part in parts]
        self._groups = [
            SingleSeatGames(config, env_config, self._rows[part], self._masks[part], num_threads)
            for config, part in zip(configs, self._parts, strict=True)
        ]
        self._returns = np.zeros(env_config.num_envs)
        self._actions: npt.NDArray[np.integer] = np.zeros(0, np.int64)
        super().__init__(
            env_config.num_envs,
            spaces.Box(-np.inf, np.inf, (self.shape.size,), np.float32),
            spaces.Discrete(configs[0].num_cards),
        )

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The next reset deals the first episode of that seed."""
        if seed is not None:
            self._seed, self.episode = seed, -1
        return [self._seed] * self.num_envs

    def reset(self) -> npt.NDArray[np.float32]:
        """Deals the next episode."""
        self.episode += 1
        # Each config has deals of its own, not the same deals with other objectives.
        seeds = np.random.SeedSequence(self._seed).generate_state(len(self._groups), np.uint64)
        for group, seed in zip(self._groups, seeds.tolist(), strict=True):
            group.reset(seed, self.episode)
        self._returns[:] = 0
        return self._rows.copy()

    def set_snapshots(self, snapshots: Sequence[Policy], share: float) -> None:
        """Lets these snapshots play ``share`` of the opponents' seats, between two games."""
        for group in self._groups:
            group.set_snapshots(snapshots, share)

    def step_async(self, actions: npt.NDArray[np.integer]) -> None:
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[
        npt.NDArray[np.float32],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        list[dict[str, Any]],
    ]:
        results = [
            group.step(self._actions[part])
            for group, part in zip(self._groups, self._parts, strict=True)
        ]
        rewards = np.concatenate([part.rewards for part in results]).astype(np.float32)
        over = np.concatenate([part.over for part in results])
        self._returns += rewards
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.all():
            self.episode += 1
            infos = self._infos(results)
            self._returns[:] = 0
        return self._rows.copy(), rewards, over, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The cards (N, num_cards) in the learners' hands."""
        return self._masks.copy()

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: Indices = None,
        **method_kwargs: Any,
    ) -> Any:
        """What a method of this environment returns for the games ``indices``, in one array."""
        returned = getattr(self, method_name)(*method_args, **method_kwargs)
        return returned if indices is None else returned[list(self._get_indices(indices))]

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute of this environment, once for each game."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:  # noqa: ARG002
        raise AttributeError(f"{attr_name} cannot be set: the games share one environment")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:  # noqa: ARG002
        return [False] * len(list(self._get_indices(indices)))

    def close(self) -> None:
        pass

    def _infos(self, results: list[StepResults]) -> list[dict[str, Any]]:
        """As SB3's Monitor returns them, with the win share."""
        shares = np.concatenate([part.info["win_share"] for part in results]).tolist()
        return [
            {"episode": {"r": own_return, "l": self.num_turns, "win_share": share}}
            for own_return, share in zip(self._returns.tolist(), shares, strict=True)
        ]
