"""Many games as a VecEnv of Stable-Baselines3: one seat of each learns, bots act in batches."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from mindup_training.envs import LearnerGames
from mindup_training.settings import TrainSettings

Indices = int | Iterable[int] | None
Floats = npt.NDArray[np.float32]


class MindUpVecEnv(VecEnv):
    """All games end in the same step, and are then dealt anew.

    Between two games, the state is therefore the seed and the number of the ``episode``. The masks
    are one array for all games. Infos are empty until the games end. Games are never truncated,
    so there is no final observation. With any number of threads, the games are the same.
    """

    render_mode = None

    def __init__(self, settings: TrainSettings) -> None:
        self.games = LearnerGames(
            settings, settings.ppo.num_envs, num_threads=max(1, settings.threads)
        )
        self.episode = -1  # before the first deal
        self._seed = settings.seed
        self._returns = np.zeros(settings.ppo.num_envs)
        self._actions: npt.NDArray[np.integer] = np.zeros(0, np.int64)
        super().__init__(
            settings.ppo.num_envs,
            spaces.Box(-np.inf, np.inf, self.games.rows.shape[1:], np.float32),
            spaces.Discrete(self.games.num_cards),
        )

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The next reset deals the first episode of that seed."""
        if seed is not None:
            self._seed, self.episode = seed, -1
        return [self._seed] * self.num_envs

    def reset(self) -> Floats:
        """Deals the next episode."""
        self.episode += 1
        self.games.deal(self._seed, self.episode)
        self._returns[:] = 0
        return self.games.rows.copy()

    def step_async(self, actions: npt.NDArray[np.integer]) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Floats, Floats, npt.NDArray[np.bool_], list[dict[str, Any]]]:
        rewards, shares, over = self.games.step(self._actions)
        self._returns += rewards
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over:
            length, both = self.games.num_turns, zip(self._returns, shares, strict=True)
            # As SB3's Monitor returns them, with the win share.
            infos = [
                {"episode": {"r": float(own), "l": length, "win_share": float(share)}}
                for own, share in both
            ]
            self.episode += 1
            self.games.begin()
            self._returns[:] = 0
        return self.games.rows.copy(), rewards, np.full(self.num_envs, over), infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The cards (N, num_cards) in the learners' hands."""
        return self.games.masks

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
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
