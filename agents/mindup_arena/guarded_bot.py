"""A bot at the tables of a chunk: what it does wrong costs it the rest of those games."""

import time
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mindup_env import GameConfig
from mindup_env.agent import Agent, make_agent
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.envs.opponents import BatchedSeats


class Forfeit(NamedTuple):
    """From that decision on a bot plays its lowest card in the games of a chunk."""

    bot: int
    decision: int
    reason: str


class Watch(Protocol):
    """Is told of every call of a bot."""

    def begin(self, bot: int, decision: int) -> None: ...

    def end(self, bot: int, decisions: int, seconds: float) -> None: ...


class Entrant(NamedTuple):
    """A bot of the arena, by its number and spec."""

    bot: int
    spec: str
    config: GameConfig


class GuardedBot:
    """A player of ``Tables.play`` for all the seats of one bot.

    ``known`` is a forfeit found from outside, when the same games were played before.
    """

    def __init__(
        self, entrant: Entrant, rows: Int64Array, watch: Watch, known: Forfeit | None = None
    ) -> None:
        self._entrant, self._rows, self._known = entrant, rows, known
        self._seated = BatchedSeats(_Watched(entrant, watch), entrant.config, len(rows))
        self._seated.sit_down(rows)
        self.forfeit: Forfeit | None = None

    def act(
        self,
        seen: dict[str, Int8Array],
        keys: Keys,
        decision: int,
        actions: Int64Array,
    ) -> None:
        masks = seen["action_mask"].reshape(actions.size, -1)[self._rows]
        if self.forfeit is None and self._known is not None and decision == self._known.decision:
            self.forfeit = self._known
        if self.forfeit is None:
            try:
                self._seated.act(seen, keys, decision, actions)
                check_legal(masks, actions.reshape(-1)[self._rows])
            except (Exception, SystemExit) as error:  # noqa: BLE001  # all of it is the bot's own fault
                reason = f"{type(error).__name__}: {error}"
                self.forfeit = Forfeit(self._entrant.bot, decision, reason)
        if self.forfeit is not None:
            actions.reshape(-1)[self._rows] = masks.argmax(axis=1)


class IllegalCardError(ValueError):
    """A bot chose a card that is not in its hand."""


def check_legal(masks: Int8Array, chosen: Int64Array) -> None:
    """Refuses actions ``chosen`` (B,) that ``masks`` (B, num_cards) forbid."""
    in_range = (chosen >= 0) & (chosen < masks.shape[1])
    legal = in_range & (masks[np.arange(len(chosen)), np.where(in_range, chosen, 0)] == 1)
    if not legal.all():
        first = int(legal.argmin())
        hand = np.flatnonzero(masks[first]).tolist()
        raise IllegalCardError(f"it took action {chosen[first]}; legal were {hand}")


class _Watched:
    """Makes its agent within the first call, so that this too is watched."""

    def __init__(self, entrant: Entrant, watch: Watch) -> None:
        self._entrant, self._watch = entrant, watch
        self._agent: Agent | None = None
        self._decision = 0

    def act(
        self,
        observation: Int8Array,
        action_mask: Int8Array,
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        self._watch.begin(self._entrant.bot, self._decision)
        self._decision += 1
        start = time.perf_counter()
        try:
            if self._agent is None:
                self._agent = make_agent(self._entrant.spec, self._entrant.config)
                start = time.perf_counter()  # making it is no decision
            return self._agent.act(observation, action_mask, episode_start, random_bits)
        finally:
            self._watch.end(self._entrant.bot, len(random_bits), time.perf_counter() - start)
