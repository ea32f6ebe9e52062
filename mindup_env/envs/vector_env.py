"""Gymnasium's ``VectorEnv``: N games, with one learner against bots in each."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from mindup_env.agent import Agent, as_agent
from mindup_env.batch_env import BatchEnv
from mindup_env.checks import as_list, check_array, check_int
from mindup_env.config import GameConfig
from mindup_env.envs.arguments import (
    OF_ONE_SEAT,
    make_config,
    observation_space,
    refuse_game_options,
)
from mindup_env.envs.opponents import BatchedSeats
from mindup_env.envs.random_bits import draw_seats
from mindup_env.envs.seat_inputs import Observations
from mindup_env.game import Game
from mindup_env.rewards import Reward


class MindUpVectorEnv(VectorEnv[Observations, npt.NDArray[np.integer], npt.NDArray[Any]]):
    """One learner against bots in each of many games.

    The step that ends a game also deals the next one. The last observation of the finished game is
    then in ``info["final_obs"]``, an array of dicts, where ``info["_final_obs"]`` is true.
    ``info["seat"]`` holds the seat of each learner.

    Args:
        num_envs: number of games.
        opponents: the name of a bot, or a list of names or agents: one for all other seats, or
            one for each other seat, in seat order after the learner.
        seat: the seat of the learners, or ``"random"`` for another one in each game.
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``, or a function, as in
            ``BatchEnv``.
        illegal_action: ``"penalise"`` or ``"raise"``, as in ``BatchEnv``.
        config: fields of ``GameConfig``, such as ``num_players=4``.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  # Gymnasium declares it so

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: str | Sequence[str | Agent] = "random",
        seat: int | str = "random",
        reward: str | Reward = "win",
        illegal_action: str = "penalise",
        **config: Any,
    ) -> None:
        game_config = make_config(config, MindUpVectorEnv)
        batch = BatchEnv(game_config, num_envs, reward=reward, illegal_action=illegal_action)
        self._tables = LearnerTables(batch, opponents, seat)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(game_config)
        self.single_action_space = Discrete(game_config.num_cards)
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


class StepResults(NamedTuple):
    """The results of a step for the learners, in new arrays."""

    seen: Observations  # observation (N, size) and action_mask (N, num_cards)
    rewards: npt.NDArray[np.floating]  # (N,)
    over: npt.NDArray[np.bool_]  # (N,)
    info: dict[str, Any]
    final: Observations | None  # the last observations, if the games ended and were dealt anew


class LearnerTables:
    """The games of ``batch``, which begin and end together: they have equally many turns.

    Args:
        batch: the games.
        opponents: the name of a bot, or a list: one bot for all other seats, or P - 1 bots for the
            seats after the learner, in seat order. A bot is its name or an object.
        seat: the seat of the learners, or ``"random"`` for another one in each game.
    """

    def __init__(
        self, batch: BatchEnv, opponents: str | Sequence[str | Agent], seat: int | str
    ) -> None:
        self.batch = batch
        config, num_games = batch.config, batch.num_envs
        bots = _checked_opponents(opponents, config)
        seats_after = np.arange(1, config.num_players).reshape(len(bots), -1)
        self._bots = [
            (BatchedSeats(as_agent(bot, config), config, num_games * len(after)), after)
            for bot, after in zip(bots, seats_after, strict=True)
        ]
        self._seat = _checked_seat(seat, config.num_players)
        self.seats = np.full(num_games, self._seat or 0, np.int64)
        self._own = np.arange(num_games), self.seats
        self._actions = np.zeros((num_games, config.num_players), np.int64)
        self._decision = 0

    def reset(self, seed: int | Sequence[int] | None) -> Observations:
        self.batch.reset(seed)
        self._begin()
        return self._learners_view(self.batch.seen)

    def step(self, actions: npt.ArrayLike) -> StepResults:
        """Plays the learners' actions (N,); the bots choose at the same time."""
        given = check_array("actions", actions, self.seats.shape, " (learners)")
        seen = self.batch.seen
        keys = self.batch.keys
        for bot, _ in self._bots:
            bot.act(seen, keys, self._decision, self._actions)
        self._actions[self._own] = given
        seen, rewards, over, _, all_seats = self.batch.step(self._actions)
        self._decision += 1
        info = {
            own: all_seats[name][self._own]
            for name, own in OF_ONE_SEAT.items()
            if name in all_seats
        }
        info["seat"] = self.seats.copy()  # before new seats are drawn, if the games end
        own_rewards = rewards[self._own]
        final = None
        if "final_observation" in all_seats:
            final = self._learners_view(all_seats["final_observation"])
            self._begin()
        return StepResults(self._learners_view(seen), own_rewards, over.copy(), info, final)

    def _begin(self) -> None:
        self._decision, players = 0, self.batch.config.num_players
        if self._seat is None:
            draw_seats(self.batch.keys, players, self.seats)
        games, seats = (each[:, None] for each in self._own)
        for bot, seats_after in self._bots:
            bot.assign_rows((games * players + (seats + seats_after) % players).ravel())

    def _learners_view(self, seen: Observations) -> Observations:
        return {name: array[self._own] for name, array in seen.items()}


def _checked_opponents(opponents: Any, config: GameConfig) -> list[str | Agent]:
    """One bot, or one for each seat but the learner's."""
    bots = [opponents] if isinstance(opponents, str) else as_list("opponents", opponents)
    others = config.num_players - 1
    if len(bots) not in (1, others):
        raise ValueError(
            f"opponents must be 1 bot for all other seats or {others} bots in seat order, for "
            f"{config.num_players} players, not {len(bots)}"
        )
    return bots


def _checked_seat(seat: int | str, num_players: int) -> int | None:
    """The learners' seat; None for a random one in each game."""
    if seat == "random":
        return None
    try:
        return check_int("seat", seat, 0, num_players - 1)
    except ValueError:
        raise ValueError(f"seat must be 'random' or 0 to {num_players - 1}, not {seat!r}") from None
