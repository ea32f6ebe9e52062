"""What environments of many games share, on a CPU or a GPU."""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from mindup_env.batch_env.kernels import StepBuffers
from mindup_env.checks import InputError, as_array, check_array, check_int, check_type, shown
from mindup_env.config import GameConfig, check_config, refuse_other_config
from mindup_env.engine import streams
from mindup_env.engine.batch import Batch
from mindup_env.engine.keys import first_keys
from mindup_env.engine.state import Int16Array, Int64Array, Keys
from mindup_env.game import Game
from mindup_env.observation import layout_of, state_layout_of


class ManyGames(ABC):
    """N games: dealt, played, copied, and replaced by others.

    Arrays are those of NumPy or tensors of PyTorch, by ``_library``.
    """

    _library: Any = np
    _out: StepBuffers

    def __init__(self, config: GameConfig | None, num_envs: int, *, autoreset: bool) -> None:
        self.config = check_config(GameConfig() if config is None else config)
        self.num_envs = check_int("num_envs", num_envs, 1, streams.LAST_INDEX)
        check_type("autoreset", autoreset, bool)
        self.layout = layout_of(self.config)
        self.state_layout = state_layout_of(self.config)
        self._autoreset = autoreset
        self._dealt = False

    def reset(
        self, seed: int | Sequence[int] | None = None, *, mask: Any = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deals all games, or some.

        Args:
            seed: a seed deals the first episodes of its slots 0 to N - 1; N seeds deal the first
                episode of slot 0 of each; None deals the next episodes, or those of a random seed.
            mask: the games to deal, bool (N,); the others go on. None deals all.

        Returns:
            Observations as of ``step``, and an empty info.
        """
        if seed is None and self._dealt:
            keys = self.keys
            keys[:, streams.EPISODE] += np.uint64(1)
        else:
            keys = first_keys(secrets.randbits(64) if seed is None else seed, self.num_envs)
        if mask is not None:
            dealt = check_array("mask", mask, (self.num_envs,), " (games)", "bool").nonzero()[0]
            return self.set_state(dealt, Batch.dealt(self.config, keys[dealt])), {}
        self._deal(keys)
        self._dealt = True
        return self.seen, {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Plays a turn of every game.

        Args:
            actions: (N, P) integers.

        Returns:
            Observations: a dict of observation (N, P, size) and action_mask (N, P, num_cards);
            rewards (N, P); terminations (N,); truncations (N,), always False; and info with
            points_gained and illegal_actions (N, P). If a round ended, info also has round_over
            (N, P), and round_score (N, P, 3): colour, bonus and objective points. If a game
            ended, it has score, rank (0 for a winner) and win_share (N, P); where a game goes on,
            they are 0. With autoreset it then has the final_observation too, and the observations
            are those of the next deal.
        """
        self._check_reset()
        any_round_over, any_over = self._play(actions)
        out = self._out
        info: dict[str, Any] = {"points_gained": out.gained, "illegal_actions": out.illegal}
        if any_round_over:
            info |= {"round_over": out.round_over, "round_score": out.round_score}
        if any_over:
            info |= {"score": out.score, "rank": out.rank, "win_share": out.win_share}
            if self._autoreset:
                info["final_observation"] = self._deal_over()
        self._complete()
        return self.seen, out.rewards, out.over, out.truncated, info

    def state(self, *, per_seat: bool = False) -> Any:
        """The full state of every game, with all hands: for a centralised critic.

        It holds nothing of the future: neither the order of the deck nor coming score cards.

        Args:
            per_seat: gives every seat its own view, in which it is player 0 and the others follow
                in seat order.

        Returns:
            (N, size), or (N, P, size) per seat, in a new array; ``state_layout`` has the parts.
        """
        self._check_reset()
        check_type("per_seat", per_seat, bool)
        # What a seat sees of the table is already its view; the masks are the hands.
        observations, masks = self._look().values()
        players = self.config.num_players
        viewers = range(players if per_seat else 1)
        seats = [[(viewer + after) % players for after in range(players)] for viewer in viewers]
        hands = masks[:, seats].reshape(self.num_envs, len(seats), -1)
        public = observations[:, : len(seats), self.config.num_cards :]
        states = self._library.concatenate([hands, public], 2)
        return states if per_seat else states[:, 0]

    @property
    @abstractmethod
    def keys(self) -> Keys:
        """Seed, slot, episode and agent seed (N, 4) of the games in play: a copy, on the host."""

    @property
    @abstractmethod
    def turns(self) -> Int16Array:
        """How many turns the games in play have had (N,): a copy, on the host."""

    @property
    @abstractmethod
    def seen(self) -> dict[str, Any]:
        """What every seat sees now: observation (N, P, size) and action_mask (N, P, num_cards)."""

    def game(self, index: int) -> Game:
        """A copy of one game."""
        self._check_reset()
        index = check_int("index", index, 0, self.num_envs - 1)
        return Game.holding(self._read(np.array([index])))

    def set_game(self, index: int, game: Game) -> dict[str, Any]:
        """Puts a copy of ``game`` at an index; the episodes dealt after it do not change."""
        index = check_int("index", index, 0, self.num_envs - 1)
        check_type("game", game, Game)
        refuse_other_config("the game", game.config, self.config)
        state = game.to_batch()
        state.games.keys[0] = self.keys[index]
        return self.set_state([index], state)

    def get_state(self, indices: Sequence[int] | Int64Array) -> Batch:
        """A copy of the games at ``indices``, for ``set_state``. It cannot be written to."""
        self._check_reset()
        return self._read(self._checked(indices)).protected()

    def set_state(self, indices: Sequence[int] | Int64Array, state: Batch) -> dict[str, Any]:
        """Puts games at ``indices``; returns the observations of all games.

        Args:
            indices: different whole numbers from 0 to N - 1.
            state: what ``get_state`` or ``belief.sample`` returned. The state of another config,
                or of games that cannot occur, is refused, and nothing changes.
        """
        self._check_reset()
        checked = self._checked(indices)
        check_type("state", state, Batch)
        refuse_other_config("the state", state.config, self.config)
        state = state.checked()
        if not len(state) == len(checked) == len({*checked.tolist()}):
            told = shown(checked.tolist())
            raise InputError(f"{len(state)} games need as many different indices, not {told}")
        self._write(checked, state)
        return self.seen

    @abstractmethod
    def _deal(self, keys: Keys) -> None:
        """Deals all games by these keys (N, 4)."""

    @abstractmethod
    def _play(self, actions: Any) -> tuple[bool, bool]:
        """Plays a turn; returns whether a round, and whether a game, is over after it."""

    @abstractmethod
    def _deal_over(self) -> dict[str, Any]:
        """Deals the next episodes of games that are over; returns what was seen last."""

    @abstractmethod
    def _complete(self) -> None:
        """What a step does when the turn is played and what is over is dealt."""

    @abstractmethod
    def _look(self) -> dict[str, Any]:
        """What every seat sees, in arrays that no user has."""

    @abstractmethod
    def _read(self, indices: Int64Array) -> Batch: ...

    @abstractmethod
    def _write(self, indices: Int64Array, state: Batch) -> None:
        """Writes games, and what is seen of all games."""

    def _checked(self, given: Any) -> Int64Array:
        """The indices (n,); others than whole numbers from 0 to N - 1 are refused."""
        indices = as_array(given)
        last = self.num_envs - 1
        if indices.shape == (0,):
            indices = indices.astype(np.int64)  # of no type
        is_list = indices.ndim == 1 and indices.dtype.kind in "iu"
        if not is_list or ((indices < 0) | (indices > last)).any():
            raise InputError(
                f"indices must be a list of whole numbers from 0 to {last}, not {shown(given)}"
            )
        return indices.astype(np.int64)

    def _check_reset(self) -> None:
        if not self._dealt:
            raise InputError("reset() deals the first games; call it first")
