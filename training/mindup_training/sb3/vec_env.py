"""Stable-Baselines3's form of many tables: one learner at each, the bots acting in batches."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from mindup_agents.features import make_encoder
from mindup_agents.policy import Policy
from mindup_env.envs.learner_tables import StepResults
from mindup_training.learner_rows import LearnerRows, Tables

Indices = int | Iterable[int] | None


class MindUpVecEnv(VecEnv):
    """All games end in the same step, and are then dealt anew.

    So between two games the state is a seed and the number of the ``episode`` in play.
    The masks are one array for all games. Infos are empty until the games end; a game is never
    cut short, so nobody asks for its last observation and none is kept.
    """

    render_mode = None

    def __init__(self, tables: Tables, seed: int = 0) -> None:
        configs = tables.configs
        if not len(configs) <= tables.num_envs:
            raise ValueError(f"{len(configs)} configs need at least as many environments")
        if len({(config.num_cards, config.num_turns) for config in configs}) != 1:
            raise ValueError("tables of one environment need equal decks and as many turns")
        shapes = {make_encoder(tables.features, config).shape for config in configs}
        if len(shapes) != 1:
            raise ValueError(f"the features {tables.features!r} have another size for each config")
        self.shape = shapes.pop()
        self.num_turns = configs[0].num_turns
        self.episode = -1  # none is dealt yet
        self._seed = seed
        self._rows = np.zeros((tables.num_envs, self.shape.size), np.float32)
        self._masks = np.zeros((tables.num_envs, configs[0].num_cards), np.bool_)
        parts = np.array_split(np.arange(tables.num_envs), len(configs))
        self._parts = [slice(part[0], part[-1] + 1) for part in parts]
        self._groups = [
            LearnerRows(config, tables, self._rows[part], self._masks[part])
            for config, part in zip(configs, self._parts, strict=True)
        ]
        self._returns = np.zeros(tables.num_envs)
        self._actions: npt.NDArray[np.integer] = np.zeros(0, np.int64)
        super().__init__(
            tables.num_envs,
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
        # Each config has cards of its own, not the same ones with other objectives.
        seeds = np.random.SeedSequence(self._seed).generate_state(len(self._groups), np.uint64)
        for group, seed in zip(self._groups, seeds.tolist(), strict=True):
            group.deal(seed, self.episode)
        self._returns[:] = 0
        return self._rows.copy()

    def invite(self, snapshots: Sequence[Policy], share: float) -> None:
        """Gives them ``share`` of the opponents' seats, between two games."""
        for group in self._groups:
            group.invite(snapshots, share)

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
        played = [
            group.step(self._actions[part])
            for group, part in zip(self._groups, self._parts, strict=True)
        ]
        rewards = np.concatenate([part.rewards for part in played]).astype(np.float32)
        over = np.concatenate([part.over for part in played])
        self._returns += rewards
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if over.all():
            self.episode += 1
            infos = self._results(played)
            self._returns[:] = 0
        return self._rows.copy(), rewards, over, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The cards (N, num_cards) that the learners may play."""
        return self._masks.copy()

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: Indices = None,
        **method_kwargs: Any,
    ) -> Any:
        """What a method of this environment returns for the games ``indices``, as one array."""
        returned = getattr(self, method_name)(*method_args, **method_kwargs)
        return returned if indices is None else returned[list(self._get_indices(indices))]

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute of this environment, once for each game."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:  # noqa: ARG002
        raise AttributeError(f"{attr_name} cannot be set: the games are not objects of their own")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:  # noqa: ARG002
        return [False] * len(list(self._get_indices(indices)))

    def close(self) -> None:
        pass

    def _results(self, played: list[StepResults]) -> list[dict[str, Any]]:
        """In the form of SB3's Monitor, with the share of the victory."""
        shares = np.concatenate([part.info["win_share"] for part in played]).tolist()
        return [
            {"episode": {"r": own_return, "l": self.num_turns, "win_share": share}}
            for own_return, share in zip(self._returns.tolist(), shares, strict=True)
        ]
