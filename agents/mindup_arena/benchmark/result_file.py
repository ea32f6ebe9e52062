"""A result as a file. Results of others are read too, so all that they hold is checked.

A file holds the win shares of all deals. The score follows from them, and a file whose score does
not is refused.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mindup_arena.benchmark.protocol import (
    LONGEST_SPEC,
    BenchmarkGame,
    BenchmarkSettings,
    check_text,
)
from mindup_arena.benchmark.result import BenchmarkResult
from mindup_arena.estimate import Floats
from mindup_env import Game
from mindup_env.report import Column
from mindup_env.runs.files import write_text
from mindup_env.settings.checks import shown
from mindup_env.settings.declaration import from_plain, option, settings, to_plain
from mindup_env.settings.plain_file import content_errors_name, read_json

_SCORE = Column("score", digits=2, ends=("low", "high"))
_TOLERANCE = 0.02
"""Of the score and its parts, which follow from rounded win shares."""
_SHARE_DIGITS = 6
_MOST_BYTES = 4 * 10**6
"""A result has about 50 kB."""
_LONGEST_TEXT = 300


@settings(kw_only=True)
class _ResultFile(BenchmarkSettings):
    """What a file holds besides what follows from the win shares."""

    games_forfeited: int = option("", low=0)
    decisions_per_second: float | None = option("", above=0, high=1e12)
    machine: dict[str, str]
    fingerprints: dict[str, list[str]]
    win_shares: list[dict[str, Any]]
    records: list[Any]

    def __post_init__(self) -> None:
        super().__post_init__()
        found = [(bot, digest) for bot, digests in self.fingerprints.items() for digest in digests]
        for name, text in (*self.machine.items(), *found):
            check_text("a name in machine or fingerprints", name, LONGEST_SPEC)
            check_text(f"the text of {name}", text, _LONGEST_TEXT)


def write_result(path: Path, result: BenchmarkResult) -> None:
    """Writes a result as JSON, with a line for each entry."""
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in to_dict(result).items()]
    write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")


def read_result(path: Path) -> BenchmarkResult:
    """Reads a result; raises ValueError if it cannot be read, or is none of this protocol."""
    plain = read_json(path, "the result of a benchmark", _MOST_BYTES)
    with content_errors_name(path):
        return from_dict(plain)


def to_dict(result: BenchmarkResult) -> dict[str, Any]:
    """The result as plain data."""
    speed, rules = result.decisions_per_second, result.settings.rules
    own, games = rules.panel_name(result.settings.bot), rules.games
    return {
        **to_plain(result.settings),
        **_summary(result),
        "games_forfeited": result.games_forfeited,
        "decisions_per_second": None if speed is None else float(f"{speed:.3g}"),
        "machine": dict(result.machine),
        "fingerprints": {bot: list(found) for bot, found in result.fingerprints.items()},
        "win_shares": [
            _numbers(game)
            | {
                rival: [round(float(each), _SHARE_DIGITS) for each in shares]
                for rival, shares in zip(rules.panel, by_rival, strict=True)
                if rival != own
            }
            for game, by_rival in zip(games, result.win_shares, strict=True)
        ],
        "records": list(result.records),
    }


def _summary(result: BenchmarkResult) -> dict[str, Any]:
    """What follows from the win shares."""
    games, panel = result.settings.rules.games, result.settings.rules.panel
    return {
        **_SCORE.plain(result.score),
        "by_players_and_objectives": [
            {
                **_numbers(game),
                **_SCORE.plain(result.score_in([game])),
                "against": {
                    rival: _SCORE.plain(result.score_in([game], rival))["score"] for rival in panel
                },
            }
            for game in games
        ],
        "by_rival": {rival: _SCORE.plain(result.score_in(games, rival)) for rival in panel},
    }


_SUMMARY = "score", "low", "high", "by_players_and_objectives", "by_rival"


def _numbers(game: BenchmarkGame) -> dict[str, Any]:
    return {"players": game.players, "objectives": game.objectives}


def from_dict(plain: Any) -> BenchmarkResult:
    """Reads what ``to_dict`` returned, and checks it."""
    is_dict = isinstance(plain, Mapping)
    given = {name: plain[name] for name in plain if name not in _SUMMARY} if is_dict else plain
    file = from_plain(_ResultFile, given)
    of_run = BenchmarkSettings(file.bot, file.size, file.name, file.protocol)
    result = BenchmarkResult(
        of_run,
        _read_win_shares(of_run, file.win_shares),
        file.games_forfeited,
        file.decisions_per_second,
        file.machine,
        file.fingerprints,
        file.records,
    )
    _check_records(of_run.rules.games, file.records)
    if result.games_forfeited > result.num_games:
        raise ValueError(f"games_forfeited must be at most {result.num_games}")
    written = to_dict(result)
    for name in ("win_shares", *written):
        if name not in plain:
            raise ValueError(f"{name} must be given")
        if name in (*_SUMMARY, "win_shares") and not _agree(plain[name], written[name]):
            raise ValueError(
                f"{name} must be {shown(written[name])}, which follows from the bot and its win "
                f"shares, not {shown(plain[name])}"
            )
    return result


def _read_win_shares(of_run: BenchmarkSettings, plain: Sequence[Mapping[str, Any]]) -> Floats:
    """The win shares (games, rivals, deals); equal play against copies of the bot itself."""
    rules = of_run.rules
    rivals, deals = rules.rivals_of(of_run.bot), rules.sizes[of_run.size].deals
    if len(plain) != len(rules.games):
        raise ValueError(f"win_shares must hold {len(rules.games)} games, not {len(plain)}")
    shares = np.empty((len(rules.games), len(rules.panel), deals))
    for row, (game, found) in enumerate(zip(rules.games, plain, strict=True)):
        for column, rival in enumerate(rules.panel):
            given: Any = found.get(rival) if rival in rivals else [1 / game.players] * deals
            is_list = isinstance(given, list) and len(given) == deals
            if not is_list or not all(_is_number(each) and 0 <= each <= 1 for each in given):
                raise ValueError(
                    f"win_shares, {game.name}, against {rival}: must be {deals} numbers from 0 to "
                    f"1, not {shown(given)}"
                )
            shares[row, column] = given
    return shares


def _check_records(games: Sequence[BenchmarkGame], records: Sequence[Any]) -> None:
    """Refuses records that are not whole games of the benchmark; there can be none at all."""
    if len(records) not in (0, len(games)):
        raise ValueError(f"records must hold {len(games)} games or none, not {len(records)}")
    for game, record in zip(games, records, strict=bool(records)):
        with content_errors_name(f"records, {game.name}"):
            found = Game.replay(record)
            if found.config != game.config or not found.over:
                raise ValueError("it is no whole game with this config")


def _is_number(plain: Any) -> bool:
    """Whether it is a number; true and false are none."""
    return isinstance(plain, int | float) and not isinstance(plain, bool)


def _agree(plain: Any, expected: Any) -> bool:
    """Whether the numbers are equal but for rounding, and all else is equal."""
    if isinstance(expected, dict):
        same = isinstance(plain, dict) and plain.keys() == expected.keys()
        return same and all(_agree(plain[name], expected[name]) for name in expected)
    if isinstance(expected, list):
        same = isinstance(plain, list) and len(plain) == len(expected)
        return same and all(map(_agree, plain, expected))
    return _is_number(plain) and expected - _TOLERANCE <= plain <= expected + _TOLERANCE
