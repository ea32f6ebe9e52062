"""A faulty bot forfeits the rest of a chunk, and nothing else changes."""

import numpy as np
import pytest

from mindup_arena import guarded_bot
from mindup_arena.chunk import ChunkPlayer, ChunkTask, PlayedChunk
from mindup_arena.schedule import chunks
from mindup_arena.settings import ArenaSettings
from mindup_arena.worker_pool import play_in_processes
from mindup_env import GameConfig
from mindup_env.agent import Agent, make_agent

CONFIG = GameConfig(num_players=3, num_rounds=1)
BOTS = "tests.arena.bots"


class Monitor:
    """Keeps the calls that a worker reports."""

    def __init__(self) -> None:
        self.begun: list[tuple[int, int]] = []
        self.ended = 0

    def call_begins(self, bot: int, decision: int) -> None:
        self.begun.append((bot, decision))

    def call_ends(self) -> None:
        self.ended += 1


def settings(how: str, at: int = 2, time_limit: float | None = None) -> ArenaSettings:
    faulty = f"{BOTS}:Faulty:how={how},at={at}"
    return ArenaSettings((faulty, "lowest"), CONFIG, 3, 7, time_limit=time_limit, one_vs_field=True)


def played(asked: ArenaSettings, monitor: Monitor | None = None) -> PlayedChunk:
    (chunk,) = chunks(asked)
    return ChunkPlayer(asked, monitor or Monitor()).play(ChunkTask(chunk))


def in_processes(asked: ArenaSettings, workers: int = 1) -> list[PlayedChunk]:
    return list(play_in_processes(asked, chunks(asked), workers))


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("raise", "ZeroDivisionError: one over none"),
        ("exit", "SystemExit: 3"),
        ("illegal", "IllegalCardError: action 0 is illegal; legal: ["),
        ("high", "IllegalCardError: action 60 is illegal; legal: ["),
        ("negative", "IllegalCardError: action -1 is illegal; legal: ["),
    ],
)
def test_a_bot_forfeits_from_the_decision_of_its_fault_on(how: str, reason: str) -> None:
    monitor = Monitor()
    (forfeit,) = played(settings(how), monitor).forfeits
    assert (forfeit.bot, forfeit.decision) == (0, 2)
    assert forfeit.reason.startswith(reason)
    called_for = [decision for bot, decision in monitor.begun if bot == 0]
    assert called_for == [0, 1, 2], "it is not called again"
    assert [decision for bot, decision in monitor.begun if bot == 1] == list(range(6))
    assert monitor.ended == len(monitor.begun)


def test_a_forfeiting_bot_plays_its_lowest_cards() -> None:
    """From the first decision on it plays as the bot ``lowest`` does."""
    lowest = ArenaSettings(("lowest", f"{BOTS}:Highest"), CONFIG, 3, 7, one_vs_field=True)
    for how in ("raise", "illegal"):
        faulty = settings(how, at=0)
        faulty = ArenaSettings((faulty.bots[0], lowest.bots[1]), CONFIG, 3, 7, one_vs_field=True)
        chunk = played(faulty)
        assert chunk.forfeits[0].decision == 0
        assert np.array_equal(chunk.results.scores, played(lowest).results.scores)


def test_a_bot_forfeits_no_more_than_the_chunk() -> None:
    asked = ArenaSettings((settings("raise").bots[0], "lowest"), CONFIG, 4, chunk_deals=2)
    found = [chunk.forfeits for chunk in in_processes(asked)]
    assert [len(forfeits) for forfeits in found] == [1] * 4, "it is made anew after a fault"


def test_a_bot_is_made_once_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def count(spec: str, config: GameConfig) -> Agent:
        made.append(spec)
        return make_agent(spec, config)

    monkeypatch.setattr(guarded_bot, "make_agent", count)
    asked = ArenaSettings(
        ("lowest", "highest", settings("raise").bots[0]), CONFIG, 4, chunk_deals=2
    )
    player = ChunkPlayer(asked, Monitor())
    forfeits = [player.play(ChunkTask(chunk)).forfeits for chunk in chunks(asked)]
    assert made.count("lowest") == made.count("highest") == 1
    assert made.count(asked.bots[2]) == sum(map(len, forfeits)) > 1, "made anew after a fault"


@pytest.mark.parametrize(
    ("how", "reason"),
    [("sleep", "a call took longer than 1.5 s"), ("die", "its process died")],
)
def test_a_bot_that_ends_its_process_forfeits_too(how: str, reason: str) -> None:
    asked = settings(how, time_limit=1.5 if how == "sleep" else None)
    (chunk,) = in_processes(asked)
    (forfeit,) = chunk.forfeits
    assert (forfeit.bot, forfeit.decision) == (0, 2)
    assert forfeit.reason == reason
    same = played(settings("raise"))
    assert np.array_equal(chunk.results.scores, same.results.scores), (
        "the other decisions do not change"
    )


def test_a_fault_of_the_arena_is_not_a_forfeit() -> None:
    asked = ArenaSettings(("lowest", "highest"), CONFIG, 1, record="/dev/null/records")
    with pytest.raises(NotADirectoryError, match="/dev/null/records"):
        in_processes(asked)
