"""Gymnasium's ``Env``: one game, with one learner against bots."""

from collections.abc import Sequence
from typing import Any, SupportsFloat

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete

from mindup_env.agent import Agent
from mindup_env.batch_env import BatchEnv
from mindup_env.checks import check_int
from mindup_env.envs.arguments import make_config, observation_space, refuse_game_options
from mindup_env.envs.parallel import Observation
from mindup_env.envs.seat_inputs import Observations
from mindup_env.envs.vector_env import LearnerTables
from mindup_env.game import Game
from mindup_env.render.modes import FRAMES_PER_SECOND, RENDER_MODES, Renderer
from mindup_env.rewards import Reward


class MindUpEnv(gymnasium.Env[Any, Any]):
    """One learner against bots, which choose at the same time.

    Args:
        opponents: the name of a bot, or a list of names or agents: one for all other seats, or
            one for each other seat, in seat order after the learner.
        seat: the seat of the learner, or ``"random"`` for another one in each game.
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``, or a function, as in
            ``BatchEnv``.
        illegal_action: ``"penalise"`` or ``"raise"``, as in ``BatchEnv``.
        render_mode: ``"ansi"``, ``"rgb_array"``, ``"human"`` or None.
        config: fields of ``GameConfig``, such as ``num_players=4``.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": FRAMES_PER_SECOND}  # noqa: RUF012  # Gymnasium declares it so

    def __init__(
        self,
        *,
        opponents: str | Sequence[str | Agent] = "random",
        seat: int | str = "random",
        reward: str | Reward = "win",
        illegal_action: str = "penalise",
        render_mode: str | None = None,
        **config: Any,
    ) -> None:
        game_config = make_config(config, MindUpEnv)
        batch = BatchEnv(game_config, reward=reward, illegal_action=illegal_action, autoreset=False)
        self._tables = LearnerTables(batch, opponents, seat)
        self.observation_space = observation_space(game_config)
        self.action_space = Discrete(game_config.num_cards)
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode)

    @property
    def game(self) -> Game:
        """A copy of the game."""
        return self._tables.batch.game(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals a game.

        Args:
            seed: deals the first episode of the seed; None deals the next episode.
            options: ``deal`` and ``record`` are refused, others are ignored.

        Returns:
            The learner's observation, a dict of ``observation`` (size,) and ``action_mask``
            (num_cards,), both int8; and an info with its ``seat``.
        """
        refuse_game_options(options)
        if seed is not None:
            seed = check_int("seed", seed, 0)  # Gymnasium accepts no NumPy integers
        super().reset(seed=seed, options=options)
        seen = self._tables.reset(seed)
        self._renderer.follow(self._tables.batch)
        return _only(seen), {"seat": int(self._tables.seats[0])}

    def step(self, action: int) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        """Plays the learner's action, and those of the bots.

        Args:
            action: ``a`` plays card number ``a + 1``.

        Returns:
            Observation, reward, termination, truncation (always False) and info. Info has
            ``seat``, ``points_gained`` and ``illegal_actions``; after the game also ``score``,
            ``rank`` (0 for a winner) and ``win_share``.
        """
        results = self._tables.step([action])
        info = {name: array[0].item() for name, array in results.info.items()}
        self._renderer.follow(self._tables.batch)
        return _only(results.seen), float(results.rewards[0]), bool(results.over[0]), False, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The learner's hand (num_cards,), which MaskablePPO of sb3-contrib asks for."""
        seen = self._tables.batch.seen["action_mask"]
        mask: npt.NDArray[np.bool_] = seen[0, self._tables.seats[0]].astype(np.bool_)
        return mask

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        return self._renderer.render(self.game)

    def close(self) -> None:
        self._renderer.close()


def _only(seen: Observations) -> Observation:
    return {name: array[0] for name, array in seen.items()}
