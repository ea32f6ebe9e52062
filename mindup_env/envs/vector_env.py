"""Gymnasium's ``VectorEnv``: N games, with one learner against bots in each."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mindup_env.agent import Agent
from mindup_env.batch_env import BatchEnv
from mindup_env.envs.arguments import (
    action_space,
    make_config,
    observation_space,
    refuse_game_options,
)
from mindup_env.envs.learner_tables import LearnerTables
from mindup_env.envs.seat_inputs import Observations
from mindup_env.game import Game
from mindup_env.rewards import Reward
from mindup_env.threads.pool import NumThreads


class MindUpVectorEnv(VectorEnv[Observations, npt.NDArray[np.integer], npt.NDArray[Any]]):
    """One learner against bots in each of many games.

    The step that ends a game also deals the next one. The last observation of the finished game is
    then in ``info["final_obs"]``, an array of dicts, where ``info["_final_obs"]`` is true.
    ``info["seat"]`` holds the seat of each learner.

    Args:
        num_envs: number of games.
        opponents: the names of bots or agents: one for all other seats, or one for each other
            seat, in seat order after the learner.
        seat: the seat of the learners, or ``"random"`` for another one in each game.
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``, or a function or an
            object, as in ``BatchEnv``.
        illegal_action: ``"penalise"`` or ``"raise"``, as in ``BatchEnv``.
        num_threads: how many threads play the games, as in ``BatchEnv``.
        pad_to_players: pads observations and states to so many players, as in ``BatchEnv``.
        config: fields of ``GameConfig``, such as ``num_players=4``.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  # Gymnasium declares it so

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: Sequence[str | Agent] = ("random",),
        seat: int | str = "random",
        reward: str | Reward = "win",
        illegal_action: str = "penalise",
        num_threads: NumThreads = 1,
        pad_to_players: int | None = None,
        **config: Any,
    ) -> None:
        game_config = make_config(config, MindUpVectorEnv)
        batch = BatchEnv(
            game_config,
            num_envs,
            reward=reward,
            illegal_action=illegal_action,
            num_threads=num_threads,
            pad_to_players=pad_to_players,
        )
        self._tables = LearnerTables(batch, opponents, seat)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(game_config, pad_to_players)
        self.single_action_space = action_space(game_config)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def game(self, index: int) -> Game:
        """A copy of one of the games."""
        return self._tables.batch.game(index)

    def state(self, *, per_seat: bool = False) -> npt.NDArray[np.int8]:
        """The full state of every game, with all hands, in a new array; see ``BatchEnv.state``.

        Args:
            per_seat: gives every seat its own view; ``info["seat"]`` has the seats of the learners.

        Returns:
            (N, size), or (N, P, size) per seat; ``mindup_env.StateLayout`` has the parts.
        """
        return self._tables.batch.state(per_seat=per_seat).copy()

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Deals all games.

        Args:
            seed: deals the first episodes of a seed, or of N seeds; None deals the next episodes.
            options: ``deal`` and ``record`` are refused, others are ignored.

        Returns:
            The learners' observations, a dict of ``observation`` (N, size) and ``action_mask``
            (N, num_cards), both int8; and an info with their ``seat`` (N,).
        """
        refuse_game_options(options)
        return self._tables.reset(seed), {"seat": self._tables.seats.copy()}

    def step(
        self, actions: npt.NDArray[np.integer]
    ) -> tuple[
        Observations,
        npt.NDArray[Any],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Plays the learners' actions, and those of the bots.

        Args:
            actions: (N,) integers.

        Returns:
            Observations, rewards (N,), terminations (N,), truncations (N,), always False, and info.
        """
        results = self._tables.step(actions)
        info = {**results.info, "seat": self._tables.seats.copy()}
        if results.final is not None:
            last = np.full(self.num_envs, None, dtype=object)
            for g in np.flatnonzero(results.over):
                last[g] = {name: array[g] for name, array in results.final.items()}
            info |= {"final_obs": last, "_final_obs": results.over.copy()}
            info |= {"final_info": results.info, "_final_info": results.over.copy()}
        truncations = np.zeros(self.num_envs, np.bool_)
        return results.seen, results.rewards, results.over, truncations, info
