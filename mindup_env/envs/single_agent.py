"""Gymnasium's ``Env``: one game, with one learner against bots."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent
from mindup_env.checks import as_array, check_int
from mindup_env.envs.arguments import check_options, make_config
from mindup_env.envs.vector_env import MindUpVectorEnv
from mindup_env.game import Game
from mindup_env.observation.seen import Arrays
from mindup_env.render.modes import FRAMES_PER_SECOND, RENDER_MODES, check_render_mode, render
from mindup_env.rewards import Reward


class MindUpEnv(gymnasium.Env[Any, Any]):
    """One learner against bots, which choose at the same time: one game of ``MindUpVectorEnv``.

    ``render_mode`` is ``"ansi"``, ``"rgb_array"`` or None; the other arguments are those of
    ``MindUpVectorEnv``.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": FRAMES_PER_SECOND}  # noqa: RUF012  # Gymnasium declares it so

    def __init__(
        self,
        *,
        opponents: str | Agent | Sequence[str | Agent] = "random",
        seat: int | str = "random",
        reward: str | Reward = "win",
        render_mode: str | None = None,
        **config: Any,
    ) -> None:
        make_config(config, MindUpEnv)
        self._games = MindUpVectorEnv(
            opponents=opponents, seat=seat, reward=reward, autoreset=False, **config
        )
        self.observation_space = self._games.single_observation_space
        self.action_space = self._games.single_action_space
        self.render_mode = check_render_mode(render_mode)

    @property
    def game(self) -> Game:
        """A copy of the game."""
        return self._games.game(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Deals a game: the first episode of a seed, or the next one if None.

        Returns:
            The learner's observation, a dict of ``observation`` (size,) and ``action_mask``
            (num_cards,), both int8; and an info with its ``seat``.
        """
        if seed is not None:
            seed = check_int("seed", seed, 0)  # Gymnasium accepts no NumPy integers
        check_options(options, ())
        seen, info = self._games.reset(seed=seed)
        super().reset(seed=seed, options=options)
        return _only(seen), {"seat": int(info["seat"][0])}

    def step(self, action: int) -> tuple[Arrays, float, bool, bool, dict[str, Any]]:
        """Plays the learner's action (``a`` plays card number ``a + 1``), and those of the bots.

        Info has ``seat`` and the entries of ``parallel_env``.
        """
        seen, rewards, terminations, _, of_games = self._games.step(as_array([action]))
        info = {name: array.tolist()[0] for name, array in of_games.items()}
        return _only(seen), rewards.item(), terminations.item(), False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The learner's hand (num_cards,), which MaskablePPO of sb3-contrib asks for."""
        mask: npt.NDArray[np.bool_] = self._games.action_masks()[0]
        return mask

    def render(self) -> str | npt.NDArray[np.uint8]:
        return render(self.game, self.render_mode)


def _only(seen: Arrays) -> Arrays:
    return {name: array[0] for name, array in seen.items()}
