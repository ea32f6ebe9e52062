"""A faulty bot forfeits the games in which it fails, and nothing else changes."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from mindup_arena import bot as bot_module
from mindup_arena import run
from mindup_arena.bot import Call, ReportCall
from mindup_arena.chunk import ChunkPlayer, ChunkTask, PlayedChunk
from mindup_arena.failures import MAX_ENDED, MAX_ERRORS, Forfeit, describe, parts_of
from mindup_arena.schedule import chunks
from mindup_arena.settings import ArenaSettings
from mindup_arena.workers import play_in_processes
from mindup_env import GameConfig, cli
from mindup_env.agent import Agent, make_agent
from tests.arena.reports import play_here

CONFIG = GameConfig(num_players=3, num_rounds=1)
BOTS = "tests.arena.bots"
EVERY_GAME = tuple(range(9))


def ignore(_: Call | None) -> None:
    """Leaves the call of a bot unreported."""


def against_lowest(spec: str, deals: int = 3) -> ArenaSettings:
    return ArenaSettings((f"{BOTS}:{spec}", "lowest"), CONFIG, deals, 7, one_vs_field=True)


def played(asked: ArenaSettings, report_call: ReportCall = ignore) -> PlayedChunk:
    (chunk,) = chunks(asked)
    return ChunkPlayer(asked, report_call).play(ChunkTask(chunk))


def lost_games(chunk: PlayedChunk) -> dict[int, int]:
    """The decision from which on each game is forfeited."""
    return {game: each.decision for each in chunk.forfeits for game in each.games}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a bot is made."""
    count: Counter[str] = Counter()

    def make(spec: str, config: GameConfig, run_folder: Path | None) -> Agent:
        count[spec] += 1
        return make_agent(spec, config, run_folder=run_folder)

    monkeypatch.setattr(bot_module, "make_agent", make)
    return count


@pytest.mark.parametrize("how", ["raise", "exit"])
def test_a_bot_forfeits_from_the_decision_of_its_error_on(how: str) -> None:
    reported: list[Call | None] = []
    (forfeit,) = played(against_lowest(f"Faulty:how={how},at=2"), reported.append).forfeits
    reason = {"raise": "ZeroDivisionError: one over none", "exit": "SystemExit: 3"}[how]
    assert forfeit[:4] == (0, 2, reason, EVERY_GAME)
    lines = forfeit.traceback.split("\n")
    assert "tests/arena/bots.py" in lines[0] and lines[0].endswith("in act")
    assert ", in fail" in lines[-2] and "mindup_arena" not in forfeit.traceback
    calls: dict[range, list[int]] = {}
    for bot, decision, games in filter(None, reported):
        calls.setdefault(games, []).extend([decision] * (bot == 0))
    for games, decisions in calls.items():
        again = [0, 1] if len(games) == 1 else []
        assert decisions == [0, 1, 2, *again], "a game that failed alone is played to its end"
    assert reported[1::2] == [None] * (len(reported) // 2), "every call ends"


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("Wide", "ValueError: the result of act() of a bot must be integers of shape"),
        ("Counting:wrong=true", "ValueError: usage must be finite numbers by name, not {"),
    ],
)
def test_wrong_answers_are_faults_of_the_bot(spec: str, reason: str) -> None:
    (forfeit,) = played(against_lowest(spec)).forfeits
    assert forfeit.reason.startswith(reason) and forfeit.games == EVERY_GAME
    assert forfeit.traceback == "", "no code of the bot was running"


@pytest.mark.parametrize(("how", "action"), [("illegal", 0), ("high", 60), ("negative", -1)])
def test_an_illegal_card_costs_its_games(how: str, action: int) -> None:
    chunk = played(against_lowest(f"Faulty:how={how},at=2"))
    assert {each.decision for each in chunk.forfeits} == {2}
    assert chunk.forfeits[0].reason.startswith(f"action {action} is illegal; legal: [")
    assert len(lost_games(chunk)) == (9 if how == "illegal" else 1)


def test_a_forfeiting_bot_plays_its_lowest_cards() -> None:
    """From the first decision on it plays as the bot ``lowest`` does."""
    field = f"{BOTS}:Highest"
    lowest = ArenaSettings(("lowest", field), CONFIG, 3, 7, one_vs_field=True)
    faulty = replace(lowest, bots=(f"{BOTS}:Faulty:at=0", field))
    assert lost_games(played(faulty)) == dict.fromkeys(EVERY_GAME, 0)
    assert np.array_equal(played(faulty).results.scores, played(lowest).results.scores)


@pytest.mark.parametrize("how", ["raise", "illegal", "rows"])
def test_a_bot_forfeits_the_games_in_which_it_fails(how: str) -> None:
    """It fails in the same rows in every way, and plays all others as if it did not."""
    chunk = played(against_lowest(f"Unlucky:how={how},every=70", deals=30))
    expected = played(against_lowest("Highest", deals=30))
    lost = lost_games(chunk)
    assert 3 < len(lost) < 10 and len({*lost.values()}) > 2
    shape = -1, CONFIG.num_players
    scores, as_played = (each.results.scores.reshape(shape) for each in (chunk, expected))
    changed = {*np.flatnonzero((scores != as_played).any(axis=1)).tolist()}
    assert changed <= {*lost} and len(changed) > len(lost) // 2
    same = played(against_lowest("Unlucky:how=illegal,every=70", deals=30))
    assert lost == lost_games(same)
    assert np.array_equal(chunk.results.scores, same.results.scores)


def test_failed_rows_are_not_asked_again(made: Counter[str]) -> None:
    reported: list[Call | None] = []
    chunk = played(against_lowest("Unlucky:how=rows", deals=30), reported.append)
    assert lost_games(chunk) and {each.reason for each in chunk.forfeits} == {"no answer"}
    turns = list(range(CONFIG.num_turns))
    assert [call.decision for call in reported if call and call.bot == 0] == turns
    assert set(made.values()) == {1}


def test_a_bot_that_played_an_illegal_card_is_made_anew_for_other_games(
    made: Counter[str],
) -> None:
    asked = ArenaSettings((f"{BOTS}:Faulty:how=high,at=1", "lowest"), CONFIG, 2, chunk_deals=1)
    player, (chunk, *_) = ChunkPlayer(asked, ignore), chunks(asked)
    for times in (1, 2):
        assert player.play(ChunkTask(chunk)).forfeits
        assert made[asked.bots[0]] == times and made["lowest"] == 1


def test_results_do_not_depend_on_where_a_bot_failed_before() -> None:
    """Every chunk has the results of a player that plays no other."""
    asked = ArenaSettings((f"{BOTS}:Unlucky:every=9", "lowest"), CONFIG, 4, chunk_deals=2)
    player = ChunkPlayer(asked, ignore)
    for chunk in [*chunks(asked), chunks(asked)[0]]:
        found, alone = (
            each.play(ChunkTask(chunk)) for each in (player, ChunkPlayer(asked, ignore))
        )
        assert found.forfeits == alone.forfeits and found.forfeits
        assert np.array_equal(found.results.scores, alone.results.scores)


def test_a_bot_that_fails_everywhere_forfeits_the_rest_of_a_chunk(made: Counter[str]) -> None:
    asked = against_lowest("Faulty:at=3", deals=30)
    chunk = played(asked)
    lost = lost_games(chunk)
    assert [*lost] == list(range(90))
    alone = sum(decision == 3 for decision in lost.values())
    assert alone in range(MAX_ERRORS - 4, MAX_ERRORS), "the other errors were in larger parts"
    assert [*lost.values()] == [3] * alone + [0] * (90 - alone)
    assert made[asked.bots[0]] == MAX_ERRORS and made["lowest"] == 1
    *_, last = chunk.forfeits
    assert last.reason == (
        f"after {MAX_ERRORS} failures in these deals, such as ZeroDivisionError: one over none"
    )


def test_a_process_that_ends_too_often_costs_the_rest_of_a_chunk() -> None:
    """The failures are those of a bot that hangs everywhere, as the pool learns of them."""
    asked = against_lowest("Highest")
    (chunk,) = chunks(asked)
    task = ChunkTask(chunk)
    ranges = [range(9), range(3), range(1), range(1, 2), range(2, 3), range(3, 6)]
    assert len(ranges) == MAX_ENDED
    for games in ranges:
        reported: list[Call | None] = []
        ChunkPlayer(asked, reported.append).play(task)
        first = next(each.games for each in reported if each and each[:2] == (0, 1))
        assert first == games or first.start == games.start
        task = task._replace(failures=(*task.failures, Forfeit(0, 1, "too slow", tuple(games))))
    assert lost_games(ChunkPlayer(asked, ignore).play(task)) == {
        **dict.fromkeys(range(3), 1),
        **dict.fromkeys(range(3, 9), 0),
    }


@pytest.mark.parametrize("num_games", [1, 2, 9, 10, 400, 30_000])
def test_parts_are_all_games_in_order(num_games: int) -> None:
    every_game = range(num_games)
    parts = parts_of(every_game, num_games)
    assert [game for part in parts for game in part] == list(every_game)
    assert max(map(len, parts)) ** 2 < 2 * num_games + 2
    for part in parts[:1]:
        assert parts_of(part, num_games) == [range(game, game + 1) for game in part]


@pytest.mark.parametrize(
    ("how", "reason"),
    [("sleep", "a call took longer than 1.5 s"), ("die", "its process died")],
)
def test_a_bot_that_ends_its_process_forfeits_too(how: str, reason: str) -> None:
    table = GameConfig(num_players=2, num_rounds=1)
    asked, error = (
        replace(against_lowest(f"Unlucky:how={each},every=27", deals=1), config=table)
        for each in (how, "raise")
    )
    limit = 1.5 if how == "sleep" else None
    (chunk,) = play_in_processes(chunks(asked), partial(ChunkPlayer, asked), 1, limit)
    assert {each.reason for each in chunk.forfeits} == {reason}
    assert lost_games(chunk) == lost_games(played(error)) == {1: 3}
    assert np.array_equal(chunk.results.scores, played(error).results.scores), "all other decisions"


def test_a_bot_stops_the_run_and_it_is_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [f"{BOTS}:Stopping:path={tmp_path / 'money'}", "lowest", "--players", "2"]
    words += ["--rounds", "1", "--deals", "3", "--out", str(tmp_path / "out")]
    assert cli.main(["arena", "rank", *words]) == cli.INTERRUPTED
    said = capsys.readouterr().err
    assert "mindup: stopped: money is not there; to resume: mindup arena rank --resume" in said
    (tmp_path / "money").touch()
    assert cli.main(["arena", "rank", "--resume", str(tmp_path / "out")]) == 0


def test_the_exit_status_tells_of_forfeits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(run, "play_in_processes", play_here)
    words = [f"{BOTS}:Unlucky", "lowest", "--players", "2", "--rounds", "1", "--deals", "20"]
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
