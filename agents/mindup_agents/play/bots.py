"""The bots around a person. Each sees what its seat sees, through the observation."""

from typing import NamedTuple

import numpy as np

from mindup_agents.play.settings import Settings
from mindup_agents.weighing import Weighing, weighing_of
from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.agent import make_agent
from mindup_env.envs.opponents import SeatedAgent


class BotError(RuntimeError):
    """A bot failed, or chose a card that it does not hold."""


class Choice(NamedTuple):
    card: int
    weighing: Weighing | None


class Bot:
    """A bot at one seat of one table."""

    def __init__(self, spec: str, config: GameConfig, seat: int) -> None:
        self._spec, self._seat = spec, seat
        self._agent = make_agent(spec, config)
        self._seated = SeatedAgent(self._agent, config, 1)
        self._seated.sit_down(np.array([seat]))

    def choose(self, env: BatchEnv, game: Game) -> Choice:
        """What it plays now; to be asked once in every turn, for those that remember."""
        actions = np.zeros((1, game.config.num_players), np.int64)
        try:
            self._seated.act(env.seen, env.keys, len(game.plays), actions)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
            raise BotError(f"the bot {self._spec} at seat {self._seat} failed: {fault}") from error
        card, hand = int(actions[0, self._seat]) + 1, game.hand(self._seat)
        if card not in hand:
            raise BotError(f"the bot {self._spec} plays card {card}, but holds {hand}")
        return Choice(card, weighing_of(self._agent, hand))


class Company:
    """All bots of a table, and the one that gives hints, who sits at the person's seat too."""

    def __init__(self, settings: Settings) -> None:
        config = settings.config
        self._bots = {seat: Bot(spec, config, seat) for seat, spec in settings.bots.items()}
        if settings.hints is not None:
            self._bots[settings.seat] = Bot(settings.hints, config, settings.seat)

    def choose(self, env: BatchEnv) -> dict[int, Choice]:
        """The choice of each seat that has a bot."""
        game = env.game(0)
        return {seat: bot.choose(env, game) for seat, bot in self._bots.items()}
