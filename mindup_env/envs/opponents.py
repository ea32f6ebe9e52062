"""The bots of a table: who sits where, what they see, and the words that decide their chances."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent, make_agent
from mindup_env.config import GameConfig
from mindup_env.engine import streams
from mindup_env.engine.compiler import kernel
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Int64Array
from mindup_env.observation import layout_of

Words = npt.NDArray[np.uint64]


class Opponents:
    """The bots around a learner, who sits somewhere else in every game.

    One agent plays all the other seats; P - 1 agents play those after the learner, in seat order.
    """

    def __init__(self, config: GameConfig, agents: Sequence[str | Agent], num_games: int) -> None:
        others = config.num_players - 1
        if isinstance(agents, str):
            raise ValueError(f"opponents must be a list, such as [{agents!r}], not {agents!r}")
        if len(agents) not in (1, others):
            raise ValueError(
                f"{config.num_players} players need 1 opponent for all other seats, or {others} "
                f"in seat order, not {len(agents)}"
            )
        seats_after = range(1, config.num_players)
        places = [list(seats_after)] if len(agents) == 1 else [[after] for after in seats_after]
        self._bots = [
            _Bot(
                make_agent(agent, config) if isinstance(agent, str) else agent,
                seats,
                config,
                num_games,
            )
            for agent, seats in zip(agents, places, strict=True)
        ]

    def sit_down(self, learner_seats: npt.NDArray[np.integer]) -> None:
        """Takes the seats around the learners, one in each game."""
        for bot in self._bots:
            bot.sit_down(learner_seats)

    def act(
        self,
        seen: dict[str, npt.NDArray[np.int8]],
        keys: Keys,
        decision: int,
        actions: Int64Array,
    ) -> None:
        """Fills in the actions (N, P) of their seats for the decision of that number."""
        for bot in self._bots:
            bot.act(seen, keys, decision, actions)


class _Bot:
    """An agent and its seats: ``seats_after`` the learner's, in each game."""

    def __init__(
        self, agent: Agent, seats_after: list[int], config: GameConfig, num_games: int
    ) -> None:
        self._agent = agent
        self._seats_after = np.array(seats_after)
        self._config = config
        rows = num_games * len(seats_after)
        # Fresh memory for every step would cost more than the copies that go there.
        self._rows = np.zeros(rows, np.int64)
        self._words = np.zeros(rows, np.uint64)
        self._observation = np.zeros((rows, layout_of(self._config).size), np.int8)
        self._mask = np.zeros((rows, self._config.num_cards), np.int8)

    def sit_down(self, learner_seats: npt.NDArray[np.integer]) -> None:
        players = self._config.num_players
        seats = (learner_seats[:, None] + self._seats_after) % players
        self._rows[:] = (np.arange(len(learner_seats))[:, None] * players + seats).ravel()

    def act(
        self,
        seen: dict[str, npt.NDArray[np.int8]],
        keys: Keys,
        decision: int,
        actions: Int64Array,
    ) -> None:
        draw_words(keys, self._rows, self._config.num_players, decision, self._words)
        for name, room in (("observation", self._observation), ("action_mask", self._mask)):
            rows_of_all = seen[name].reshape(actions.size, -1)
            np.take(rows_of_all, self._rows, axis=0, out=room, mode="clip")
        new_game = np.full(len(self._rows), decision == 0)
        chosen = np.asarray(self._agent.act(self._observation, self._mask, new_game, self._words))
        if chosen.shape != self._rows.shape or not np.issubdtype(chosen.dtype, np.integer):
            raise ValueError(
                f"{type(self._agent).__name__} must choose whole numbers of the shape "
                f"{self._rows.shape}, not {chosen.dtype} of the shape {chosen.shape}"
            )
        actions.reshape(-1)[self._rows] = chosen


@kernel
def draw_words(keys: Keys, rows: Int64Array, num_players: int, decision: int, words: Words) -> None:
    """Fills ``words`` (B,) with 64 random bits for each row, which is a seat of a game."""
    for i in range(len(rows)):
        g, seat = rows[i] // num_players, rows[i] % num_players
        low, high, _, _ = streams.random_words(keys[g], streams.AGENTS, seat, decision)
        words[i] = low | (high << np.uint64(32))


@kernel
def draw_seats(keys: Keys, num_players: int, seats: Int64Array) -> None:
    """Fills ``seats`` (N,) with a random seat for the learner of each game."""
    for g in range(len(seats)):
        word = streams.random_words(keys[g], streams.LEARNER_SEAT, 0, 0)[0]
        seats[g] = streams.below(word, num_players)
