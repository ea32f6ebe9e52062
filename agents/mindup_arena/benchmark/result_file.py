"""A result as a file. Results of others are read too, so all that they hold is checked.

A file holds the win shares of all deals. The score follows from them, and a file whose score does
not is refused.
"""

import json
from pathlib import Path
from typing import Any

from mindup_arena.benchmark.result import BenchmarkResult
from mindup_arena.benchmark.result_parts import (
    is_number,
    read_fingerprints,
    read_machine,
    read_records,
    read_speed,
    read_win_shares,
)
from mindup_arena.benchmark.settings import BenchmarkSettings
from mindup_arena.estimate import Estimate, Floats
from mindup_env.runs.files import write_text
from mindup_env.settings.checks import check_entries, check_int, shown
from mindup_env.settings.plain_file import content_errors_name, read_json

_DIGITS = 2
_TOLERANCE = 2 * 10**-_DIGITS
_SHARE_DIGITS = 6
_MOST_BYTES = 4 * 10**6
"""A result has about 50 kB."""
_SETTINGS = "bot", "size", "name", "protocol"
_SCORE = ("score", "low", "high")
_PARTS = "by_players_and_objectives", "by_rival"
_RUN = "games_forfeited", "decisions_per_second", "machine", "fingerprints", "records"


def write_result(path: Path, result: BenchmarkResult) -> None:
    """Writes a result as JSON, with a line for each entry."""
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in to_dict(result).items()]
    write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")


def read_result(path: Path) -> BenchmarkResult:
    """Reads a result.

    Raises:
        ValueError: it cannot be read, or is no result of this protocol.
    """
    plain = read_json(path, "the result of a benchmark", _MOST_BYTES)
    with content_errors_name(path):
        return from_dict(plain)


def to_dict(result: BenchmarkResult) -> dict[str, Any]:
    """The result as plain data."""
    speed, settings = result.decisions_per_second, result.settings
    rivals = settings.rules.rivals_of(settings.bot)
    return {
        **settings.to_dict(),
        **_summary(result),
        "games_forfeited": result.games_forfeited,
        "decisions_per_second": None if speed is None else float(f"{speed:.3g}"),
        "machine": dict(result.machine),
        "fingerprints": {bot: list(found) for bot, found in result.fingerprints.items()},
        "win_shares": [
            {
                "players": game.players,
                "objectives": game.objectives,
                **{
                    rival: _rounded(result.win_shares[row, column])
                    for column, rival in enumerate(settings.rules.panel)
                    if rival in rivals
                },
            }
            for row, game in enumerate(settings.rules.games)
        ],
        "records": list(result.records),
    }


def from_dict(plain: Any) -> BenchmarkResult:
    """Reads what ``to_dict`` returned, and checks it."""
    names = *_SETTINGS, *_SCORE, *_PARTS, *_RUN, "win_shares"
    check_entries("the result of a benchmark", plain, names)
    settings = BenchmarkSettings.from_dict({name: plain[name] for name in _SETTINGS})
    result = BenchmarkResult(
        settings,
        read_win_shares(settings, plain["win_shares"]),
        check_int("games_forfeited", plain["games_forfeited"], 0),
        read_speed(plain["decisions_per_second"]),
        read_machine(plain["machine"]),
        read_fingerprints(plain["fingerprints"]),
        read_records(settings, plain["records"]),
    )
    if result.games_forfeited > result.num_games:
        raise ValueError(f"games_forfeited must be at most {result.num_games}")
    for name, expected in _summary(result).items():
        if not _agree(plain[name], expected):
            raise ValueError(
                f"{name} {shown(plain[name])} does not follow from the win shares, which give "
                f"{shown(expected)}"
            )
    return result


def _summary(result: BenchmarkResult) -> dict[str, Any]:
    """What follows from the win shares."""
    games, panel = result.settings.rules.games, result.settings.rules.panel
    return {
        **_plain(result.score),
        "by_players_and_objectives": [
            {
                "players": game.players,
                "objectives": game.objectives,
                **_plain(result.score_in([game])),
                "against": {rival: _value(result.score_against(rival, [game])) for rival in panel},
            }
            for game in games
        ],
        "by_rival": {rival: _plain(result.score_against(rival, games)) for rival in panel},
    }


def _plain(estimate: Estimate) -> dict[str, float]:
    return dict(zip(_SCORE, (round(each, _DIGITS) for each in estimate), strict=True))


def _value(estimate: Estimate) -> float:
    return round(estimate.value, _DIGITS)


def _rounded(shares: Floats) -> list[float]:
    return [round(float(share), _SHARE_DIGITS) for share in shares]


def _agree(plain: Any, expected: Any) -> bool:
    """Whether the numbers are equal but for rounding, and all else is equal."""
    if isinstance(expected, dict):
        return (
            isinstance(plain, dict)
            and plain.keys() == expected.keys()
            and all(_agree(plain[name], expected[name]) for name in expected)
        )
    if isinstance(expected, list):
        return (
            isinstance(plain, list)
            and len(plain) == len(expected)
            and all(map(_agree, plain, expected))
        )
    return is_number(plain) and expected - _TOLERANCE <= plain <= expected + _TOLERANCE
