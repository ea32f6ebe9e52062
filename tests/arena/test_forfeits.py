"""What a bot does wrong costs it the rest of a chunk, and nobody else anything."""

from collections.abc import Sequence

import numpy as np
import pytest

from mindup_arena.chunk import Outcome, Task, play_chunk
from mindup_arena.schedule import chunks
from mindup_arena.settings import ArenaSettings
from mindup_arena.worker_pool import play_all
from mindup_env import GameConfig

CONFIG = GameConfig(num_players=3, num_rounds=1)
BOTS = "tests.arena.bots"


class Watching:
    """Remembers the calls that a worker would tell of."""

    def __init__(self) -> None:
        self.begun: list[tuple[int, int]] = []
        self.ended = 0

    def begin(self, bot: int, decision: int) -> None:
        self.begun.append((bot, decision))

    def end(self, bot: int, decisions: int, seconds: float) -> None:  # noqa: ARG002
        self.ended += 1


def settings(how: str, at: int = 2, time_limit: float | None = None) -> ArenaSettings:
    faulty = f"{BOTS}:Faulty:how={how},at={at}"
    return ArenaSettings((faulty, "lowest"), CONFIG, 3, 7, time_limit=time_limit, one_vs_field=True)


def played(asked: ArenaSettings, watch: Watching | None = None) -> Outcome:
    (chunk,) = chunks(asked)
    return play_chunk(asked, Task(chunk), watch or Watching())


def in_processes(asked: ArenaSettings, workers: int = 1) -> Sequence[Outcome]:
    return [done.outcome for done in play_all(asked, chunks(asked), workers)]


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("raise", "ZeroDivisionError: one over none"),
        ("exit", "SystemExit: 3"),
        ("illegal", "IllegalCardError: it took action 0; legal were ["),
        ("high", "IllegalCardError: it took action 60; legal were ["),
        ("negative", "IllegalCardError: it took action -1; legal were ["),
    ],
)
def test_a_bot_forfeits_from_the_decision_of_its_fault_on(how: str, reason: str) -> None:
    watch = Watching()
    outcome = played(settings(how), watch)
    (forfeit,) = outcome.forfeits
    assert (forfeit.bot, forfeit.decision) == (0, 2)
    assert forfeit.reason.startswith(reason)
    asked_for = [decision for bot, decision in watch.begun if bot == 0]
    assert asked_for == [0, 1, 2], "it is asked no more"
    assert [decision for bot, decision in watch.begun if bot == 1] == list(range(6))
    assert watch.ended == len(watch.begun)


def test_a_forfeiting_bot_plays_its_lowest_cards() -> None:
    """From the first decision on it is the bot that plays them anyway."""
    lowest = ArenaSettings(("lowest", f"{BOTS}:Highest"), CONFIG, 3, 7, one_vs_field=True)
    for how in ("raise", "illegal"):
        faulty = settings(how, at=0)
        faulty = ArenaSettings((faulty.bots[0], lowest.bots[1]), CONFIG, 3, 7, one_vs_field=True)
        outcome = played(faulty)
        assert outcome.forfeits[0].decision == 0
        assert np.array_equal(outcome.played.scores, played(lowest).played.scores)


def test_a_bot_forfeits_no_more_than_the_chunk() -> None:
    asked = ArenaSettings((settings("raise").bots[0], "lowest"), CONFIG, 4, chunk_deals=2)
    found = [played_chunk.forfeits for played_chunk in in_processes(asked)]
    assert [len(forfeits) for forfeits in found] == [1] * 4, "it is made anew for each"


@pytest.mark.parametrize(
    ("how", "reason"),
    [("sleep", "a call took longer than 1.5 s"), ("die", "its process died")],
)
def test_a_bot_that_costs_its_process_forfeits_too(how: str, reason: str) -> None:
    asked = settings(how, time_limit=1.5 if how == "sleep" else None)
    (outcome,) = in_processes(asked)
    (forfeit,) = outcome.forfeits
    assert (forfeit.bot, forfeit.decision) == (0, 2)
    assert forfeit.reason == reason
    same = played(settings("raise")).played
    assert np.array_equal(outcome.played.scores, same.scores), "the rest is played as ever"


def test_a_fault_of_the_arena_itself_is_no_forfeit() -> None:
    asked = ArenaSettings(("lowest", "highest"), CONFIG, 1, record="/dev/null/records")
    with pytest.raises(RuntimeError, match="not in the call of a bot"):
        in_processes(asked)
