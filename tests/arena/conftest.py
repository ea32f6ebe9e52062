"""Arenas that are played in the process of the test."""

from collections.abc import Generator, Sequence
from typing import Any

import pytest

from mindup_arena import estimate, run
from mindup_arena.play import PlayedChunk, play_chunk
from mindup_arena.settings import ArenaSettings, Chunk


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports of the tests here have rough intervals; the tests of intervals ask for more."""
    monkeypatch.setattr(estimate, "RESAMPLES", 40)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[Chunk]:
    """No process is started; the chunks that are played are listed."""
    played: list[Chunk] = []

    def play(
        missing: Sequence[Chunk], settings: ArenaSettings, *_: Any
    ) -> Generator[PlayedChunk, None, None]:
        for chunk in missing:
            played.append(chunk)
            yield play_chunk(settings, chunk)

    monkeypatch.setattr(run, "play_chunks", play)
    return played
