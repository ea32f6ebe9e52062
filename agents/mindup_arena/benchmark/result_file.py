"""A result as a file. Results of others are read too, so all that is read is checked.

A file holds the win shares of all deals. The score that it also has is for readers of the file: it
is computed again from the win shares.
"""

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from mindup_arena.benchmark import protocol
from mindup_arena.benchmark.protocol import LONGEST_SPEC, NAME, BenchmarkSettings, check_text
from mindup_arena.benchmark.result import BenchmarkResult
from mindup_arena.estimate import Floats
from mindup_env.report import Column
from mindup_env.runs.files import write_text
from mindup_env.settings.checks import shown
from mindup_env.settings.declaration import from_plain, option, settings, to_plain
from mindup_env.settings.plain_file import content_errors_name, read_json

_SCORE = Column("score", digits=2)
_SHARE_DIGITS = 6
_LONGEST_TEXT = 300


@settings(kw_only=True)
class _ResultFile(BenchmarkSettings):
    """What is read of a file."""

    benchmark: str = option("", choices=(NAME,))
    games_forfeited: int = option("", low=0)
    decisions_per_second: float | None = option("", above=0, high=1e12)
    machine: dict[str, str]
    fingerprints: dict[str, str]
    win_shares: list[dict[str, Any]]

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, text in (*self.machine.items(), *self.fingerprints.items()):
            check_text("a name in machine or fingerprints", name, LONGEST_SPEC)
            check_text(f"the text of {name}", text, _LONGEST_TEXT)
        if self.games_forfeited > self.num_games:
            raise ValueError(f"games_forfeited must be at most {self.num_games}")


def write_result(path: Path, result: BenchmarkResult) -> None:
    """Writes a result as JSON, with a line for each entry."""
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in to_dict(result).items()]
    write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")


def read_result(path: Path) -> BenchmarkResult:
    """Reads a result; raises ValueError if it cannot be read, or is none of the benchmark."""
    plain = read_json(path)
    with content_errors_name(path):
        return from_dict(plain)


def to_dict(result: BenchmarkResult) -> dict[str, Any]:
    """The result as plain data."""
    of_run, speed = result.settings, result.decisions_per_second
    return {
        "benchmark": NAME,
        **to_plain(of_run),
        **_SCORE.plain(result.score),
        "by_rival": {
            rival: _SCORE.plain(result.score_in(of_run.games, rival)) for rival in of_run.rivals
        },
        "games_forfeited": result.games_forfeited,
        "decisions_per_second": None if speed is None else float(f"{speed:.3g}"),
        "machine": dict(result.machine),
        "fingerprints": dict(result.fingerprints),
        "win_shares": [
            {"players": game.players, "objectives": game.objectives}
            | {
                rival: [round(float(each), _SHARE_DIGITS) for each in shares]
                for rival, shares in zip(protocol.PANEL, by_rival, strict=True)
                if rival in of_run.rivals
            }
            for game, by_rival in zip(of_run.games, result.win_shares, strict=True)
        ],
    }


def from_dict(plain: Any) -> BenchmarkResult:
    """Reads what ``to_dict`` returned, and checks it."""
    read = {each.name for each in fields(_ResultFile)}
    is_dict = isinstance(plain, Mapping)
    given = {name: plain[name] for name in plain if name in read} if is_dict else plain
    file = from_plain(_ResultFile, given)
    of_run = BenchmarkSettings(file.bot, file.size, file.name, file.players)
    return BenchmarkResult(
        of_run,
        _read_win_shares(of_run, file.win_shares),
        file.games_forfeited,
        file.decisions_per_second,
        file.machine,
        file.fingerprints,
    )


def _read_win_shares(of_run: BenchmarkSettings, plain: list[dict[str, Any]]) -> Floats:
    """The win shares (games, rivals, deals); equal play against copies of the bot itself."""
    games, deals = of_run.games, of_run.deals
    if len(plain) != len(games):
        raise ValueError(f"win_shares must hold {len(games)} games, not {len(plain)}")
    shares = np.empty((len(games), len(protocol.PANEL), deals))
    for row, (game, found) in enumerate(zip(games, plain, strict=True)):
        if (found.get("players"), found.get("objectives")) != game[:2]:
            raise ValueError(f"win_shares must have the game {game.name} at place {row + 1}")
        for column, rival in enumerate(protocol.PANEL):
            is_rival = rival in of_run.rivals
            given: Any = found.get(rival) if is_rival else [1 / game.players] * deals
            is_list = isinstance(given, list) and len(given) == deals
            if not is_list or not all(_is_number(each) and 0 <= each <= 1 for each in given):
                raise ValueError(
                    f"win_shares, {game.name}, against {rival}: must be {deals} numbers from 0 to "
                    f"1, not {shown(given)}"
                )
            shares[row, column] = given
    return shares


def _is_number(plain: Any) -> bool:
    """Whether it is a number; true and false are none."""
    return isinstance(plain, int | float) and not isinstance(plain, bool)
