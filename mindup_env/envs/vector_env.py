"""Gymnasium's ``VectorEnv``: N games, with one learner against bots in each."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mindup_env.agent import Agent
from mindup_env.batch_env import BatchEnv, StepResult
from mindup_env.checks import InputError, as_list, check_array, check_int
from mindup_env.config import GameConfig
from mindup_env.engine import streams
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Int64Array, Keys
from mindup_env.envs.arguments import check_options, make_config, observation_space
from mindup_env.envs.seated_bots import SeatedBots
from mindup_env.game import Game
from mindup_env.observation.seen import Arrays
from mindup_env.rewards import Reward


class MindUpVectorEnv(VectorEnv[Arrays, npt.NDArray[np.integer], npt.NDArray[Any]]):
    """One learner against bots in each of many games.

    The step that ends a game also deals the next one. The last observation of the finished game is
    then in ``info["final_obs"]``, an array of dicts, where ``info["_final_obs"]`` is true.

    Args:
        num_envs: number of games.
        opponents: a bot, by its name or as an object with its method ``act``, for all other seats;
            or a list with a bot for each other seat, in seat order after the learner.
        seat: the seat of the learner, or ``"random"``: a random one in each game.
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``, or a function, as in
            ``BatchEnv``.
        autoreset: whether a finished game is replaced by the next deal in the same step. If not,
            it does not change any more until ``reset``.
        config: fields of ``GameConfig``, such as ``num_players=4``.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: str | Agent | Sequence[str | Agent] = "random",
        seat: int | str = "random",
        reward: str | Reward = "win",
        autoreset: bool = True,
        **config: Any,
    ) -> None:
        self.config = make_config(config, MindUpVectorEnv)
        self._env = BatchEnv(self.config, num_envs, reward=reward, autoreset=autoreset)
        bots = _bots_after(opponents, self.config)
        self._bots = SeatedBots(self._env, dict(enumerate(bots, start=1)))
        is_drawn = isinstance(seat, str) and seat == "random"
        last = self.config.num_players - 1
        self._seat = None if is_drawn else check_int("seat, if not 'random',", seat, 0, last)
        self._actions = np.zeros((num_envs, self.config.num_players), np.int64)
        self._autoreset = autoreset
        mode = AutoresetMode.SAME_STEP if autoreset else AutoresetMode.DISABLED
        self.metadata = {"autoreset_mode": mode}
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.config)
        self.single_action_space = Discrete(self.config.num_cards)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def game(self, index: int) -> Game:
        """A copy of one of the games."""
        return self._env.game(index)

    def state(self, *, per_seat: bool = False) -> npt.NDArray[np.int8]:
        """All hands and the table of every game (N, size), or (N, P, size) per seat."""
        states: npt.NDArray[np.int8] = self._env.state(per_seat=per_seat)
        return states

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Deals all games: the first episodes of a seed or of N seeds, or the next ones if None.

        Without autoreset, ``options`` can have Gymnasium's ``reset_mask``: the games to deal, bool
        (N,).

        Returns:
            The learners' observations, a dict of ``observation`` (N, size) and ``action_mask``
            (N, num_cards), both int8; and an info with their ``seat`` (N,).
        """
        accepted = () if self._autoreset else ("reset_mask",)
        mask = check_options(options, accepted).get("reset_mask")
        seen, _ = self._env.reset(seed, mask=mask)
        self._take_seats()
        return self._of_learners(seen), {"seat": self._seats.copy()}

    def step(self, actions: npt.NDArray[np.integer]) -> StepResult:
        """Plays the learners' actions, and those of the bots.

        Args:
            actions: (N,) integers.

        Returns:
            Observations, rewards (N,), terminations (N,), truncations (N,), always False, and
            info, with entries (N, ...) of the same names as those of ``MindUpEnv``.
        """
        given = check_array("actions", actions, (self.num_envs,), " (learners)")
        self._bots.act(self._actions)
        self._actions.flat[self._rows] = given
        try:
            seen, all_rewards, terminations, truncations, of_seats = self._env.step(self._actions)
        except BaseException:
            self._take_seats()  # the next games may be dealt already
            raise
        rewards = all_rewards.take(self._rows)
        last = of_seats.pop("final_observation", None)
        info: dict[str, Any] = self._of_learners(of_seats)
        info["seat"] = self._seats.copy()
        if last is not None:
            final = np.full(self.num_envs, None, dtype=object)
            of_learners = zip(*self._of_learners(last).values(), strict=True)
            final[:] = [dict(zip(last, each, strict=True)) for each in of_learners]
            info["final_info"] = info.copy()
            info["_final_info"] = terminations.copy()
            info["final_obs"] = final
            info["_final_obs"] = terminations.copy()
            self._take_seats()
            info["seat"] = self._seats.copy()
        observations = self._of_learners(seen)
        return observations, rewards, terminations.copy(), truncations.copy(), info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The learners' hands (N, num_cards)."""
        masks: npt.NDArray[np.bool_] = self._of_learners(self._env.seen)["action_mask"] != 0
        return masks

    def _take_seats(self) -> None:
        """Seats the learners, and the bots after them."""
        players = self.config.num_players
        if self._seat is None:
            self._seats = draw_seats(self._env.keys, players)
        else:
            self._seats = np.full(self.num_envs, self._seat)
        self._rows = np.arange(self.num_envs) * players + self._seats
        self._bots.assign((np.arange(players) - self._seats[:, None]) % players)

    def _of_learners(self, arrays: Arrays) -> Arrays:
        """The entry (N, ...) of each learner's seat in arrays (N, P, ...)."""
        rows = self._rows
        return {
            name: array.take(rows)
            if array.ndim == 2  # numbers, not vectors
            else array.reshape(-1, array.shape[2]).take(rows, axis=0)
            for name, array in arrays.items()
        }


def draw_seats(keys: Keys, num_players: int) -> Int64Array:
    """A random seat for the learner of each game (N,), as a function of its key alone."""
    seats = np.zeros(len(keys), np.int64)
    fill_seats(keys, num_players, seats)
    return seats


@kernel
def fill_seats(keys: Keys, num_players: int, seats: Int64Array) -> None:
    for g in range(len(seats)):
        bits = streams.random_block(keys[g], streams.LEARNER_SEAT, 0, 0)[0]
        seats[g] = streams.below(bits, num_players)


def _bots_after(opponents: Any, config: GameConfig) -> list[str | Agent]:
    """The bots at the seats after the learner."""
    others = config.num_players - 1
    if isinstance(opponents, str) or hasattr(opponents, "act"):
        return [opponents] * others
    bots = as_list("opponents", opponents)
    if len(bots) not in (1, others):
        raise InputError(
            f"opponents must be 1 bot for all other seats or {others} bots in seat order, for "
            f"{config.num_players} players, not {len(bots)}"
        )
    return bots * (others // len(bots))
