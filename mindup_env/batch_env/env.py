"""All seats of many games in one call: for self-play, arenas and search."""

import secrets
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env import env_kernels
from mindup_env.batch_env.env_kernels import PENALTY, Buffers, make_buffers
from mindup_env.checks import check_int
from mindup_env.config import GameConfig
from mindup_env.engine import kernels, streams
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games
from mindup_env.game import Game
from mindup_env.observation import Layout, layout_of
from mindup_env.rewards import Payment, Reward, find_payment

Arrays = dict[str, npt.NDArray[Any]]

ILLEGAL_ACTIONS = ("penalise", "raise")


class IllegalActionWarning(UserWarning):
    """An environment was asked for a card that is not in the hand."""


class State(NamedTuple):
    """Some games of a batch, with the keys that decide what is dealt after them."""

    games: Games
    keys: Keys  # (n, 3)


class BatchEnv:
    """N games with all their seats. Action ``a`` plays card number ``a + 1``.

    The arrays it returns are written over by the next step, unless ``copy=True``. All games have
    the same number of turns, so they end together unless ``set_state`` mixes them.
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        num_envs: int = 1,
        *,
        reward: str | Reward = "win",
        autoreset: bool = True,
        illegal_action: str = "penalise",
        copy: bool = False,
    ) -> None:
        if illegal_action not in ILLEGAL_ACTIONS:
            raise ValueError(
                f"illegal_action must be {' or '.join(ILLEGAL_ACTIONS)}, not {illegal_action!r}"
            )
        self.config = GameConfig() if config is None else config
        self.num_envs = check_int("num_envs", num_envs, 1)
        self.layout: Layout = layout_of(self.config)
        # A function is asked after each step; the named rewards are paid in compiled code.
        self._reward = reward if callable(reward) else None
        self._payment = tuple(Payment() if callable(reward) else find_payment(reward))
        self._autoreset = autoreset
        self._illegal_action = illegal_action
        self._copy = copy
        self._warned = False
        self._batch = Batch(self.config, self.num_envs)
        self._keys = make_keys(0, self.num_envs)
        self._seeded = False
        self._undealt = set(range(self.num_envs))
        self._truncations = np.zeros(self.num_envs, np.bool_)
        self._actions = np.zeros((self.num_envs, self.config.num_players), np.int64)
        self._offsets = tuple(self.layout.offsets)
        self._seen, self._final = self._room_to_see(), self._room_to_see()
        self._out: Buffers = make_buffers(self.config, self.num_envs)
        self._buffers = tuple(self._out)

    def reset(self, seed: int | Sequence[int] | None = None) -> tuple[Arrays, dict[str, Any]]:
        """Deals all games.

        A seed begins the first episode of its slots 0 to N - 1; a list of N seeds the first
        episode of slot 0 of each; no seed deals the next episode.
        """
        if seed is None and self._seeded:
            self._keys[:, streams.EPISODE] += np.uint64(1)
        elif seed is None:
            self._keys[:] = make_keys(secrets.randbits(64), self.num_envs)
        elif isinstance(seed, Sequence | np.ndarray):
            if len(seed) != self.num_envs:
                raise ValueError(f"{self.num_envs} games need as many seeds, not {len(seed)}")
            self._keys[:] = np.concatenate([make_keys(one, 1) for one in seed])
        else:
            self._keys[:] = make_keys(seed, self.num_envs)
        self._seeded = True
        self._undealt = set()
        self._out.over[:] = False
        kernels.deal_all(self._batch.arrays, self._keys)
        return self._look(self._seen), {}

    @property
    def batch(self) -> Batch:
        """The games themselves, not a copy."""
        return self._batch

    @property
    def keys(self) -> Keys:
        """Seed, slot and episode (N, 3) of the games in play."""
        return self._keys

    @property
    def seen(self) -> Arrays:
        """What every seat sees: observation (N, P, D) and action_mask (N, P, num_cards)."""
        return {name: self._given(array) for name, array in self._seen.items()}

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        Arrays,
        npt.NDArray[np.floating],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Plays ``actions`` (N, P).

        Returns observations, rewards (N, P), terminations (N,), truncations (N,) and info. Where a
        game ended, info has scores, ranks and win_share, and with autoreset the observation is
        that of the next deal and info has the final_observation.
        """
        self._take(actions)
        if self._illegal_action == "raise":
            self._refuse_illegal()
        out = self._out
        standing = self._reward is not None and self._batch.games.clock == self.config.num_turns
        any_illegal, any_over = env_kernels.play_turns(
            self._batch.arrays, self._actions, self._payment, self._buffers
        )
        if any_illegal:
            self._warn()
        if self._reward is not None:
            out.rewards[:] = self._reward(out.gained, out.over, out.win_share)
            out.rewards[:] -= PENALTY * out.illegal
            out.rewards[standing] = 0
        info: dict[str, Any] = {
            "points_gained": self._given(out.gained),
            "illegal_actions": self._given(out.illegal),
        }
        if any_over:
            for name in ("scores", "ranks", "win_share"):
                info[name] = self._given(getattr(out, name))
            if self._autoreset:
                info["final_observation"] = self._look(self._final)
                env_kernels.redeal_finished(self._batch.arrays, self._keys)
        return (
            self._look(self._seen),
            self._given(out.rewards),
            self._given(out.over),
            self._given(self._truncations),
            info,
        )

    def game(self, index: int) -> Game:
        """A copy of one game."""
        return Game.from_batch(self._batch, check_int("index", index, 0, self.num_envs - 1))

    def get_state(self, indices: Sequence[int]) -> State:
        """A copy of some of the games, to go back to."""
        places = np.asarray(indices, np.int64)
        return State(self._batch.pick(places).games, self._keys[places])

    def set_state(self, indices: Sequence[int], state: State) -> Arrays:
        """Puts games into the places ``indices``; the observations of all games then."""
        places = np.asarray(indices, np.int64)
        if len(places) != len(state.keys):
            raise ValueError(f"{len(state.keys)} games do not fit into {len(places)} places")
        mine: tuple[Any, ...] = tuple(self._batch.games)
        given: tuple[Any, ...] = tuple(state.games)
        if [field.shape[1:] for field in mine] != [field.shape[1:] for field in given]:
            raise ValueError(f"the state is of games with another config than {self.config}")
        for field, new in zip((*mine, self._keys), (*given, state.keys), strict=True):
            field[places] = new
        self._undealt.difference_update(places.tolist())
        self._out.over[:] = self._batch.games.clock == self.config.num_turns
        return self._look(self._seen)

    def set_game(self, index: int, game: Game) -> Arrays:
        """Puts a copy of ``game`` into a place; the episodes dealt after it stay as they were."""
        if game.config != self.config:
            raise ValueError(f"the game is played by {game.config}, but here by {self.config}")
        return self.set_state([index], State(game.batch.games, self._keys[[index]]))

    def _take(self, actions: npt.ArrayLike) -> None:
        given = np.asarray(actions)
        if self._undealt:
            raise ValueError("reset() deals the first games; call it before step()")
        if given.shape != self._actions.shape or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions must be whole numbers of the shape {self._actions.shape} (games, "
                f"players), not {given.dtype} of the shape {given.shape}"
            )
        self._actions[...] = given

    def _refuse_illegal(self) -> None:
        found = env_kernels.first_illegal(self._batch.arrays, self._actions)
        if found >= 0:
            index, player = divmod(found, self.config.num_players)
            hand = [number - 1 for number in self.game(index).hand(player)]
            raise ValueError(
                f"in game {index}, player {player} cannot take action "
                f"{self._actions[index, player]}; legal are {hand}"
            )

    def _warn(self) -> None:
        if not self._warned:
            self._warned = True
            index, player = np.argwhere(self._out.illegal)[0].tolist()
            warnings.warn(
                f"in game {index}, player {player} took action {self._actions[index, player]}, "
                "which its action mask forbids; the lowest card of the hand was played and the "
                "reward lowered by 1. Illegal actions are counted in info; this is said only once",
                IllegalActionWarning,
                stacklevel=3,
            )

    def _room_to_see(self) -> Arrays:
        seats = self.num_envs, self.config.num_players
        return {
            "observation": np.zeros((*seats, self.layout.size), np.int8),
            "action_mask": np.zeros((*seats, self.config.num_cards), np.int8),
        }

    def _look(self, room: Arrays) -> Arrays:
        """Fills ``room`` with what every seat sees now."""
        env_kernels.observe_all(
            self._batch.arrays, self._offsets, room["observation"], room["action_mask"]
        )
        return {name: self._given(array) for name, array in room.items()}

    def _given(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self._copy else array
