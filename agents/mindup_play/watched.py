"""The game that bots play while it is watched."""

import traceback
from collections.abc import Sequence
from typing import Any

from starlette.routing import BaseRoute

from mindup_agents.labels import numbered
from mindup_env import Game, GameConfig
from mindup_env.checks import check_int
from mindup_play.bots import BotChoice, BotError, BotPlayer, in_background
from mindup_play.finished import ShownGame, ShownGames
from mindup_play.records import Seats, after_turn
from mindup_play.server import get
from mindup_play.settings import STRENGTHS, short_name


class WatchedGame:
    """A game that bots play in a thread, as fast as they can."""

    view = "watch"

    def __init__(self, specs: Sequence[str], config: GameConfig, seed: int) -> None:
        self._bots = [BotPlayer(spec, config, seed, seat) for seat, spec in enumerate(specs)]
        bots = list(dict.fromkeys([*STRENGTHS, *specs]))
        seats = Seats(numbered([short_name(spec) for spec in specs]), [""] * len(specs))
        self._own: list[list[BotChoice]] = []
        self.shown = ShownGame([Game(config, seed)], seats, bots, seed, own=self._own)
        self._thinking: int | None = None  # the seat that chooses
        self._failed: str | None = None  # why a bot ended the game
        self.played = in_background(self._play)

    def routes(self) -> list[BaseRoute]:
        return [get(self.table), *ShownGames(lambda _: self.shown).routes()]

    async def table(self, first: str) -> dict[str, Any]:
        """All tables from the one after ``first`` turns on."""
        begin = check_int("first", int(first) if first.isdecimal() else first, 0)
        data = self.shown.data()
        return {
            **data,
            "tables": data["tables"][begin:],
            "num_turns": self.shown.games[0].config.num_turns,
            "thinking": self._thinking,
            "failed": self._failed,
            # A text, because a JavaScript number holds no more than 53 bits.
            "seed": str(self.shown.seed),
        }

    def _play(self) -> None:
        try:
            while not self.shown.games[-1].over:
                self._play_turn(self.shown.games[-1])
        except BotError as error:
            traceback.print_exception(error)
            self._failed = str(error)
            self._thinking = None

    def _play_turn(self, game: Game) -> None:
        choices = []
        for seat, bot in enumerate(self._bots):
            self._thinking = seat
            choices.append(bot.choose(game))
        self._thinking = None
        self._own.append(choices)  # there before the next table
        self.shown.games.append(after_turn(game, [choice.card for choice in choices]))
