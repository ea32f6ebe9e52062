"""A faulty bot forfeits games, and nothing else changes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mindup_arena import run
from mindup_arena.chunk import ChunkPlayer, PlayedChunk
from mindup_arena.failures import describe
from mindup_arena.schedule import chunks
from mindup_arena.settings import ArenaSettings
from mindup_env import GameConfig, cli
from tests.arena.reports import play_here

CONFIG = GameConfig(num_players=3, num_rounds=1)
BOTS = "tests.arena.bots"
EVERY_GAME = tuple(range(9))


def against_lowest(spec: str) -> ArenaSettings:
    return ArenaSettings((f"{BOTS}:{spec}", "lowest"), CONFIG, 3, 7, one_vs_field=True)


def played(asked: ArenaSettings) -> PlayedChunk:
    (chunk,) = chunks(asked)
    return ChunkPlayer(asked).play(chunk)


@pytest.mark.parametrize(
    ("spec", "decision", "reason"),
    [
        ("Faulty:how=raise,at=2", 2, "ZeroDivisionError: one over none"),
        ("Faulty:how=exit,at=2", 2, "SystemExit: 3"),
        ("Wide", 0, "ValueError: the result of act() of a bot must be integers of shape"),
    ],
)
def test_an_error_costs_all_games_of_the_call_from_this_decision_on(
    spec: str, decision: int, reason: str
) -> None:
    chunk = played(against_lowest(spec))
    (forfeit,) = chunk.forfeits
    assert forfeit.reason.startswith(reason)
    assert (forfeit.bot, forfeit.decision, forfeit.games) == (0, decision, EVERY_GAME)
    *_, last, _ = forfeit.traceback.splitlines()
    assert ("tests/arena/bots.py" in last) == (spec != "Wide")


@pytest.mark.parametrize(("how", "action"), [("illegal", 0), ("high", 60), ("negative", -1)])
def test_an_illegal_card_costs_its_games(how: str, action: int) -> None:
    chunk = played(against_lowest(f"Faulty:how={how},at=2"))
    (forfeit,) = chunk.forfeits
    assert forfeit.decision == 2 and forfeit.traceback == ""
    assert forfeit.reason.startswith(f"action {action} is illegal; legal: [")
    assert len(forfeit.games) == (9 if how == "illegal" else 1)
    if how != "illegal":
        other, expected = np.ones(9, np.bool_), played(against_lowest("Highest")).results.scores
        other[[*forfeit.games]] = False
        found = chunk.results.scores
        assert np.array_equal(found.reshape(9, 3)[other], expected.reshape(9, 3)[other])


def test_a_forfeiting_bot_plays_its_lowest_cards() -> None:
    """From the first decision on it plays as the bot ``lowest`` does."""
    field = f"{BOTS}:Highest"
    lowest = ArenaSettings(("lowest", field), CONFIG, 3, 7, one_vs_field=True)
    faulty = replace(lowest, bots=(f"{BOTS}:Faulty:at=0", field))
    assert np.array_equal(played(faulty).results.scores, played(lowest).results.scores)


@pytest.mark.parametrize("how", ["raise", "high"])
def test_results_do_not_depend_on_where_a_bot_failed_before(how: str) -> None:
    """Every chunk has the results of a player that plays no other: the bot is made anew."""
    asked = ArenaSettings((f"{BOTS}:Faulty:how={how},at=1", "lowest"), CONFIG, 4, chunk_deals=2)
    player = ChunkPlayer(asked)
    for chunk in [*chunks(asked), chunks(asked)[0]]:
        found, alone = player.play(chunk), ChunkPlayer(asked).play(chunk)
        assert found.forfeits == alone.forfeits and found.forfeits
        assert np.array_equal(found.results.scores, alone.results.scores)


def test_a_bot_that_ends_its_process_ends_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [f"{BOTS}:Faulty:how=die", "lowest", "--players", "2", "--rounds", "1", "--deals", "3"]
    assert cli.main(["arena", "rank", *words, "--out", str(tmp_path)]) == cli.SYSTEM_ERROR
    (line,) = capsys.readouterr().err.splitlines()
    assert "a process died while it played: a bot ended it, or the system did" in line
    assert f"to resume: mindup arena rank --resume {tmp_path}" in line


def test_the_exit_status_tells_of_forfeits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(run, "play_in_processes", play_here)
    words = [f"{BOTS}:Faulty:at=3", "lowest", "--players", "2", "--rounds", "1", "--deals", "20"]
    assert cli.main(["arena", "rank", *words, "--out", str(tmp_path)]) == 3
    said = " ".join(capsys.readouterr().out.split())
    for part in (" forfeited", "ZeroDivisionError: one over none", "bots.py", "in choose"):
        assert part in said
    assert cli.main(["arena", "rank", "--resume", str(tmp_path)]) == 3


class Speechless(Exception):  # noqa: N818  # an error whose text is an error
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize("error", [Speechless, lambda: ValueError("a\n" * 1000)])
def test_any_error_is_described_in_a_line(error: Callable[[], Exception]) -> None:
    text = describe(error())
    assert "\n" not in text and len(text) < 300
