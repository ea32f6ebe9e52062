"""A recorded game in the place of one that bots play now."""

from collections.abc import Mapping
from typing import Any

from mindup_play.records import games_of
from mindup_play.replay_page import replay_data
from mindup_play.session_manager import StaleRequestError
from mindup_play.watch.forecast import CardProbabilities, PrizeForecast


class RecordedTable:
    """All turns of a record, at once."""

    def __init__(self, record: Mapping[str, Any], names: list[str] | None) -> None:
        self._data = replay_data(record, names)
        self._games = games_of(record)
        self._forecast = PrizeForecast(self._games[0].config)

    def state(self, first: int) -> dict[str, Any]:
        return {
            **self._data,
            "first": first,
            "tables": self._data["tables"][first:],
            "details": [],
            "num_turns": len(self._data["tables"]) - 1,
            "thinking": None,
            "failed": None,
            "seed": None,
        }

    def forecast(self, seed: str, turn: int) -> list[CardProbabilities]:
        if seed:
            raise StaleRequestError("outdated")
        return self._forecast.at(self._games, turn)
