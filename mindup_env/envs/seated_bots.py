"""Bots at seats of a batch of games: what they are given, and what they choose."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.agent import ActArguments, Agent, as_agent
from mindup_env.batch_env import BatchEnv
from mindup_env.checks import check_array, check_int, check_type, illegal_card
from mindup_env.engine import streams
from mindup_env.engine.compiler import kernel, typed_once
from mindup_env.engine.state import Int8Array, Int16Array, Int64Array, Keys
from mindup_env.observation.seen import Arrays

Choices = npt.NDArray[np.integer]
RandomBits = npt.NDArray[np.uint64]


class _Bot(NamedTuple):
    name: str
    agent: Agent
    numbers: list[int]  # among all bots


class SeatedBots:
    """Bots that play seats of a ``BatchEnv``; each acts once per turn for all its seats.

    Their random bits depend on the agent seed, slot and episode of a game, seat and turn alone.

    Args:
        env: the games.
        bots: by seat, the name of a bot or an object with its method ``act``, such as
            ``{1: "greedy", 2: bot}``. The same name or object at several seats is one bot.
        seating: the number of the bot at each seat, as in ``assign``; that of the seat if None.
    """

    def __init__(
        self, env: BatchEnv, bots: Mapping[int, str | Agent], seating: Int64Array | None = None
    ) -> None:
        check_type("env", env, BatchEnv)
        check_type("bots", bots, dict)
        self._env = env
        players = env.config.num_players
        self._shape = env.num_envs, players
        what, last = ("seat", players - 1) if seating is None else ("number", None)
        for number in bots:
            check_int(f"the {what} of a bot", number, 0, last)
        seating = np.arange(players) if seating is None else seating
        made: dict[Any, _Bot] = {}
        for number, bot in bots.items():
            known_as = bot if isinstance(bot, str) else id(bot)
            if known_as not in made:
                name = bot if isinstance(bot, str) else type(bot).__name__
                made[known_as] = _Bot(name, as_agent(bot, env.config), [])
            made[known_as].numbers.append(number)
        self._bots = [*made.values()]
        self.assign(seating)

    def assign(self, seating: Int64Array) -> None:
        """Seats the bots anew.

        Args:
            seating: (N, P), or (P,) for all games alike: the number of the bot in ``bots`` at each
                seat; other numbers, such as -1, are seats without a bot.
        """
        shape = self._shape if getattr(seating, "ndim", 1) == 2 else self._shape[1:]
        given = check_array("seating", seating, shape, " (seats)")
        everywhere = np.zeros((*self._shape, 1), np.int64) + given[..., None]
        self._rows = [np.flatnonzero((everywhere == bot.numbers).any(2)) for bot in self._bots]

    def act(self, actions: Choices) -> None:
        """Writes the bots' actions for the next turn into ``actions`` (N, P): once per turn.

        Those of the seats without a bot stay as they are.
        """
        check_type("actions", actions, np.ndarray)
        check_array("actions", actions, self._shape, " (games, players)")
        seen, keys, turns = self._env.seen, self._env.keys, self._env.turns
        for bot, rows in zip(self._bots, self._rows, strict=True):
            if len(rows):
                given = arguments_of(seen, keys, turns, rows)
                masks = given.action_mask.copy()  # which a bot cannot change
                chosen = bot.agent.act(*given)
                actions.flat[rows] = check_choices(bot.name, chosen, masks)


def arguments_of(seen: Arrays, keys: Keys, turns: Int16Array, rows: Int64Array) -> ActArguments:
    """What is given to ``Agent.act`` for the seats ``rows`` (B,), flat indices of N games.

    ``seen``, ``keys`` and ``turns`` are those of ``BatchEnv``.
    """
    observation = seen["observation"]
    mask = seen["action_mask"]
    players = mask.shape[1]
    return ActArguments(
        observation.reshape(-1, observation.shape[2]).take(rows, axis=0),
        mask.reshape(-1, mask.shape[2]).take(rows, axis=0),
        turns.take(rows // players) == 0,
        draw_random_bits(keys, turns, rows, players),
    )


def draw_random_bits(
    keys: Keys, turns: Int16Array, rows: Int64Array, num_players: int
) -> RandomBits:
    """64 random bits of the agent seed for each row (B,)."""
    random_bits = np.zeros(len(rows), np.uint64)
    fill_random_bits(keys, turns, rows, num_players, random_bits)
    return random_bits


@typed_once
@kernel
def fill_random_bits(
    keys: Keys, turns: Int16Array, rows: Int64Array, num_players: int, random_bits: RandomBits
) -> None:
    for i in range(len(rows)):
        g = rows[i] // num_players
        seat = rows[i] % num_players
        low, high, _, _ = streams.random_block(keys[g], streams.AGENTS, seat, turns[g])
        random_bits[i] = low | (high << np.uint64(32))


def check_choices(name: str, chosen: Any, masks: Int8Array) -> Choices:
    """What ``act`` of a bot returned (B,), if it is a legal action for each game that goes on."""
    choices = check_array(f"the result of act() of bot {name!r}", chosen, (len(masks),))
    for row in illegal_rows(choices, masks)[:1]:
        hand = np.flatnonzero(masks[row]) + 1
        raise illegal_card(f"bot {name!r}", int(choices[row]) + 1, hand)
    return choices


def illegal_rows(choices: Choices, masks: Int8Array) -> Int64Array:
    """The rows in which a choice (B,) is not a card of the hand; a finished game has no hands."""
    illegal = np.zeros(len(masks), np.bool_)
    mark_illegal(np.ascontiguousarray(choices, np.int64), np.ascontiguousarray(masks), illegal)
    return illegal.nonzero()[0]


@typed_once
@kernel
def mark_illegal(choices: Int64Array, masks: Int8Array, illegal: npt.NDArray[np.bool_]) -> None:
    for row in range(len(masks)):
        if not (0 <= choices[row] < masks.shape[1] and masks[row, choices[row]]):
            for action in range(masks.shape[1]):
                illegal[row] |= masks[row, action] != 0
