"""The deal and the first turns of a recorded game, to play on from there."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mindup_env import GameConfig
from mindup_env.game.record import START
from mindup_env.settings.checks import check_int
from mindup_env.settings.plain_file import content_errors_name, read_json
from mindup_play.records import games_of

_OF_THE_RECORD = "players", "objectives"


def read_recorded_deal(
    path: Path, turns: int, given: Mapping[str, Any]
) -> tuple[dict[str, Any], Sequence[Sequence[int]]]:
    """The settings of a game with the deal of a record, and the plays of its first turns.

    Args:
        path: the record.
        turns: how many turns.
        given: the settings that the user chose; those of the record must not be among them.
    """
    for name in _OF_THE_RECORD:
        if name in given:
            raise ValueError(f"--{name} cannot be combined with --record: the record has them")
    record = read_json(path)
    with content_errors_name(path):
        if START in record:
            raise ValueError("a record that begins in the middle of a game has no deal to play")
        game = games_of(record)[-1]
        config = game.config
        if config != GameConfig(config.num_players, config.num_objectives):
            raise ValueError(f"only games of the published rules can be played, not {config}")
        last = len(game.plays) - game.over
        check_int("--turn for this record", turns, 0, last)
    settings = {"players": config.num_players, "objectives": config.num_objectives}
    return {**settings, "deal": game.deal}, game.plays[:turns]
