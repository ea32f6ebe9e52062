"""What a seat sees, and everything that it has seen, through OpenSpiel's observer API."""

from math import prod
from typing import Any

import numpy as np
import pyspiel

from mindup_env.checks import InputError
from mindup_env.config import GameConfig
from mindup_env.engine.state import Int8Array
from mindup_env.game import Game
from mindup_env.observation import layout_of, observation_text
from mindup_env.observation.seen import observe_game
from mindup_env.open_spiel.history import HistoryState


class Observer:
    """Writes the observation of a seat.

    With perfect recall, it writes all its observations: before each turn, and at the end. Each
    says who played which card of the row.
    """

    def __init__(self, config: GameConfig, kind: Any) -> None:
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise InputError(
                "an observation of mindup has public information and that of one player, not one "
                "of them alone"
            )
        self._config = config
        self._perfect_recall = kind.perfect_recall
        size = layout_of(config).size
        players = config.num_players
        # An observation counts the players from the viewer, so it does not say which seat that is.
        shape = (config.num_turns + 1, size) if self._perfect_recall else (size,)
        self.tensor = np.zeros(players + prod(shape), np.float32)
        self.dict = {
            "player": self.tensor[:players],
            "observation": self.tensor[players:].reshape(shape),
        }

    def set_from(self, state: Any, player: int) -> None:
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        rows = self.dict["observation"].reshape(-1, layout_of(self._config).size)
        for row, game in zip(rows, self._games(state), strict=False):
            row[:] = observation(game, player)

    def string_from(self, state: Any, player: int) -> str:
        if self._perfect_recall:
            return information_state_string(state.history_state, player)
        seen = (observation(game, player) for game in self._games(state))
        return "".join(observation_text(each, self._config) for each in seen)

    def _games(self, state: Any) -> tuple[Game, ...]:
        """The games to observe: before the first cards are dealt, there is none."""
        games: tuple[Game, ...] = state.history_state.games
        return games if self._perfect_recall else games[-1:]


def observation(game: Game, player: int) -> Int8Array:
    """The observation (size,) of one seat."""
    seen: Int8Array = observe_game(game)["observation"][player]
    return seen


def information_state_string(history: HistoryState, player: int) -> str:
    """All that a seat has seen, in short: how each round began, and the cards of each turn."""
    lines = [f"player {player}"]
    for turn, game in enumerate(history.games):
        if game.turn == 1 and not game.over:
            players = range(game.config.num_players)
            lines += [
                f"round {game.round}: score cards {_numbers(game.score_cards)}",
                f"row {_numbers(game.row)}",
                f"objectives {' '.join(sorted(game.objectives))}",
                *(f"known {other}: {_numbers(game.known(other))}" for other in players),
                f"hand {_numbers(game.hand(player))}",
            ]
        lines += [f"turn {_numbers(cards)}" for cards in history.plays[turn : turn + 1]]
    if history.over:
        lines.append(f"scores {_numbers(history.games[-1].scores)}")
    return "\n".join(lines)


def _numbers(cards: tuple[int, ...]) -> str:
    return " ".join(map(str, cards))
