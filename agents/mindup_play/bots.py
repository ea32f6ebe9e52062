"""The bots of a game. Each chooses from what its own seat sees."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import Any, NamedTuple, TypeVar

import numpy as np

from mindup_agents.card_evaluation import evaluation_of, predictions_of
from mindup_env import Game, GameConfig
from mindup_env.agent import make_agent
from mindup_env.checks import check_array
from mindup_env.engine.keys import first_keys
from mindup_env.envs.seated_bots import arguments_of
from mindup_env.observation.seen import observe_game

T = TypeVar("T")

_running: "set[Future[Any]]" = set()
"""What runs in the background now."""


class BotError(Exception):
    """A bot failed, or chose a card that it does not hold."""


class BotChoice(NamedTuple):
    card: int
    # As JSON data: of the cards in the hand, and of each opponent's, from the next seat on.
    evaluation: dict[str, Any] | None
    predictions: list[dict[str, float]] | None


class BotPlayer:
    """A bot at one seat of the game of a seed."""

    def __init__(self, spec: str, config: GameConfig, seed: int, seat: int) -> None:
        self.agent = make_agent(spec, config)
        self._keys = first_keys(seed, 1)
        self._name = f"the bot {spec} at seat {seat}"
        self._seat = seat

    def choose(self, game: Game) -> BotChoice:
        """The bot's card. Call this once per turn: some bots learn from every turn they see."""
        seen = {name: array[None] for name, array in observe_game(game).items()}
        turns = np.array([len(game.plays)], np.int16)
        given = arguments_of(seen, self._keys, turns, np.array([self._seat]))
        try:
            chosen = check_array("what act() returns", self.agent.act(*given), (1,))
            card = int(chosen[0]) + 1
            hand = game.hand(self._seat)
            if card in hand:
                return BotChoice(card, evaluation_of(self.agent, hand), predictions_of(self.agent))
        except Exception as error:
            raise BotError(f"{self._name} failed: {type(error).__name__}: {error}") from error
        raise BotError(f"{self._name} chose a card that is not in its hand: {card}")


def in_background(function: Callable[[], T]) -> "Future[T]":
    """The result to come of a function, in a thread of its own.

    Unlike a thread of an executor, it does not delay the end of the program; see
    ``wait_for_background``.
    """
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # a request that ends early must not cancel it
    _running.add(future)
    future.add_done_callback(_running.discard)

    def run() -> None:
        try:
            future.set_result(function())
        except Exception as error:  # noqa: BLE001  # raised where the result is read
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


async def in_thread(function: Callable[[], T]) -> T:
    """The result of a function that runs in a thread of its own, while others are answered."""
    return await asyncio.wrap_future(in_background(function))


def wait_for_background(seconds: float) -> None:
    """Waits at most so long until nothing runs in the background.

    A program that ends while a bot is in compiled code can be aborted with a message of the system.
    """
    wait([*_running], seconds)
