"""The bots around a person. Each sees what its seat sees, through the observation."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from mindup_agents.card_evaluation import CardEvaluation, evaluation_of
from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.agent import make_agent
from mindup_env.batch_env import Arrays
from mindup_env.engine.kernels import Keys
from mindup_env.envs.opponents import BatchedSeats


class BotError(RuntimeError):
    """A bot failed, or chose a card that it does not hold."""


class Turn(NamedTuple):
    """What bots choose by: copies, for the table may go on while somebody still thinks."""

    game: Game
    seen: Arrays
    keys: Keys

    @classmethod
    def of(cls, env: BatchEnv) -> Self:
        seen = {name: array.copy() for name, array in env.seen.items()}
        return cls(env.game(0), seen, env.keys.copy())


class Choice(NamedTuple):
    card: int
    evaluation: CardEvaluation | None

    @property
    def plain_evaluation(self) -> dict[str, Any] | None:
        return None if self.evaluation is None else self.evaluation.to_dict()


class Bot:
    """A bot at one seat of one table."""

    def __init__(self, spec: str, config: GameConfig, seat: int) -> None:
        self._spec, self._seat = spec, seat
        try:
            self._agent = make_agent(spec, config)
        except ValueError:
            raise
        except Exception as error:
            raise BotError(f"the bot {spec} cannot be made: {_fault(error)}") from error
        self._seated = BatchedSeats(self._agent, config, 1)
        self._seated.assign_rows(np.array([seat]))

    def choose(self, turn: Turn) -> Choice:
        """What it plays; to be asked once in every turn, for those that remember."""
        game = turn.game
        actions = np.zeros((1, game.config.num_players), np.int64)
        try:
            self._seated.act(turn.seen, turn.keys, len(game.plays), actions)
        except Exception as error:
            fault = f"the bot {self._spec} at seat {self._seat} failed: {_fault(error)}"
            raise BotError(fault) from error
        card, hand = int(actions[0, self._seat]) + 1, game.hand(self._seat)
        if card not in hand:
            raise BotError(f"the bot {self._spec} plays card {card}, but holds {hand}")
        return Choice(card, evaluation_of(self._agent, hand))


class BotSeats:
    """The bots at the other seats."""

    def __init__(self, specs: Mapping[int, str], config: GameConfig) -> None:
        self._bots = {seat: Bot(spec, config, seat) for seat, spec in specs.items()}

    def choose(self, turn: Turn, chosen: dict[int, Choice]) -> dict[int, Choice]:
        """Fills in the choices that are not there yet: of the others, if one of them has failed."""
        for seat, bot in self._bots.items():
            if seat not in chosen:
                chosen[seat] = bot.choose(turn)
        return chosen


def _fault(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
