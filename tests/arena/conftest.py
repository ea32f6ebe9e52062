"""Arenas that are played in the process of the test."""

from collections.abc import Generator, Sequence

import pytest

from mindup_arena import estimate, run
from mindup_arena.play import PlayedChunk, play_chunk
from mindup_arena.settings import ArenaSettings, Chunk


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports of the tests here have rough intervals; the tests of intervals ask for more."""
    monkeypatch.setattr(estimate, "RESAMPLES", 40)


def play_here(
    missing: Sequence[Chunk], settings: ArenaSettings, _: int
) -> Generator[PlayedChunk, None, None]:
    """Stands in for play_in_processes, which starts processes for each arena."""
    yield from (play_chunk(settings, chunk) for chunk in missing)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[Chunk]:
    """No process is started; the chunks that are played are listed."""
    played: list[Chunk] = []

    def play(
        missing: Sequence[Chunk], settings: ArenaSettings, workers: int
    ) -> Generator[PlayedChunk, None, None]:
        played.extend(missing)
        yield from play_here(missing, settings, workers)

    monkeypatch.setattr(run, "play_in_processes", play)
    return played
