"""A batch of games of one config: what kernels play on, and a state that a user may keep."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.checks import InputError, check_array, shown
from mindup_env.config import GameConfig
from mindup_env.engine.arrays import allocate
from mindup_env.engine.kernels import SeatFacts, deal_all, fill_seat_facts
from mindup_env.engine.state import Games, Int64Array, Keys, make_games, make_rules
from mindup_env.engine.validity import find_impossible

rules_of = lru_cache(make_rules)


@lru_cache
def _a_game(config: GameConfig) -> tuple[npt.NDArray[Any], ...]:
    return make_games(config, 1)


class Batch:
    """N games of one config.

    Attributes:
        config (GameConfig): their rules.
        rules (Rules): the same as numbers.
        games (Games): their arrays, which are not copied.
    """

    def __init__(self, config: GameConfig, games: Games) -> None:
        self.config = config
        self.rules = rules_of(config)
        self.games = games

    @classmethod
    def empty(cls, config: GameConfig, num_games: int) -> "Batch":
        """Games to be dealt or filled."""
        return cls(config, make_games(config, num_games))

    @classmethod
    def dealt(cls, config: GameConfig, keys: Keys) -> "Batch":
        """The games that ``keys`` (n, 4) deal, before their first turns."""
        batch = cls.empty(config, len(keys))
        batch.games.keys[:] = keys
        deal_all(batch.rules, batch.games)
        return batch

    @property
    def fields(self) -> tuple[npt.NDArray[Any], ...]:
        """The arrays of the games, the keys first."""
        return self.games

    def __len__(self) -> int:
        return len(self.games.clock)

    def __reduce__(self) -> tuple[Any, ...]:
        return Batch, (self.config, self.games)

    def pick(self, indices: Sequence[int] | Int64Array) -> "Batch":
        """A batch with copies of the games at ``indices``."""
        chosen = np.asarray(indices, np.int64)
        return Batch(self.config, Games._make(field[chosen] for field in self.games))

    def put(self, indices: Int64Array, games: "Batch") -> None:
        """Copies n games to ``indices`` (n,)."""
        # One game, as search puts it, is copied twice as fast by a slice.
        at = indices if len(indices) != 1 else slice(indices[0], indices[0] + 1)
        for own, given in zip(self.fields, games.fields, strict=True):
            own[at] = given

    def protected(self) -> "Batch":
        """The same batch, whose arrays can no longer be written to."""
        for field in self.fields:
            field.flags.writeable = False
        return self

    def checked(self) -> "Batch":
        """The same games for compiled code, which trusts them; impossible ones are refused."""
        if not isinstance(self.games, Games) or np.ndim(self.games.clock) != 1:
            raise InputError(f"the games of a state must be Games, not {shown(self.games)}")
        ordered = []
        for name, given, one in zip(Games._fields, self.fields, _a_game(self.config), strict=True):
            shape = len(self), *one.shape[1:]
            if type(given) is not np.ndarray or given.dtype != one.dtype or given.shape != shape:
                check_array(f"{name} of the games", given, shape, kind=one.dtype.name)
            ordered.append(np.ascontiguousarray(given))
        batch = Batch(self.config, Games._make(ordered))
        if (g := find_impossible(batch.rules, batch.games)) is not None:
            raise InputError(f"game {g} of the state cannot occur: its parts contradict each other")
        return batch

    def seat_facts(self) -> SeatFacts:
        """What is computed from the games for every seat."""
        facts = allocate(SeatFacts, self.config, N=len(self))
        fill_seat_facts(self.rules, self.games, facts)
        return facts
