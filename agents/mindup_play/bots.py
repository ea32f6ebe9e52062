"""The bots of a game that a person plays or watches. Each chooses from what its own seat sees."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from mindup_agents.card_evaluation import CardEvaluation, evaluation_of
from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.agent import make_agent
from mindup_env.batch_env import Arrays
from mindup_env.checks import check_array
from mindup_env.engine.kernels import Keys
from mindup_env.envs.seated_bots import arguments_of

T = TypeVar("T")

_BACKGROUND = "mindup_play background"
"""The name of the threads that ``in_background`` starts."""


class BotError(ValueError):
    """A bot cannot be made, failed, or chose a card that it does not hold."""


class TurnSnapshot(NamedTuple):
    """A turn as the bots see it.

    These are copies: the session may deal another game while a bot still computes.
    """

    game: Game
    seen: Arrays
    keys: Keys

    @classmethod
    def of(cls, env: BatchEnv) -> Self:
        seen = {name: array.copy() for name, array in env.seen.items()}
        return cls(env.game(0), seen, env.keys.copy())


class BotChoice(NamedTuple):
    card: int
    evaluation: CardEvaluation | None

    def evaluation_dict(self) -> dict[str, Any] | None:
        return None if self.evaluation is None else self.evaluation.to_dict()


class BotPlayer:
    """A bot at one seat of one game."""

    def __init__(self, spec: str, config: GameConfig, seat: int) -> None:
        self.spec, self.seat = spec, seat
        try:
            self.agent = make_agent(spec, config)
        except ValueError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise BotError(f"the bot {spec} cannot be created: {reason}") from error

    def choose(self, turn: TurnSnapshot) -> BotChoice:
        """The bot's card. Call this once per turn: some bots learn from every turn they see."""
        game, turns = turn.game, np.array([len(turn.game.plays)], np.int16)
        given = arguments_of(turn.seen, turn.keys, turns, np.array([self.seat]))
        try:
            chosen = check_array("what act() returns", self.agent.act(*given), (1,))
        except Exception as error:
            raise self._error(f"failed: {type(error).__name__}: {error}") from error
        card, hand = int(chosen[0]) + 1, game.hand(self.seat)
        if card not in hand:
            raise self._error(f"chose a card that is not in its hand: {card}")
        return BotChoice(card, evaluation_of(self.agent, hand))

    def _error(self, what: str) -> BotError:
        return BotError(f"the bot {self.spec} at seat {self.seat} {what}")


def in_background(function: Callable[[], T]) -> "Future[T]":
    """The result to come of a function, in a thread of its own.

    Unlike a thread of an executor, it does not delay the end of the program; see
    ``wait_for_background``.
    """
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # a request that ends early must not cancel it

    def run() -> None:
        try:
            future.set_result(function())
        except Exception as error:  # noqa: BLE001  # raised where the result is read
            future.set_exception(error)

    Thread(target=run, name=_BACKGROUND, daemon=True).start()
    return future


async def in_thread(function: Callable[[], T]) -> T:
    """The result of a function that runs in a thread of its own, while others are answered."""
    return await asyncio.wrap_future(in_background(function))


def wait_for_background(seconds: float) -> None:
    """Waits at most so long until nothing runs in the background.

    A program that ends while a bot is in compiled code can be aborted with a message of the system.
    """
    end_time = monotonic() + seconds
    for thread in threading.enumerate():
        if thread.name == _BACKGROUND and thread.is_alive():  # one may not have started yet
            thread.join(max(0.0, end_time - monotonic()))
