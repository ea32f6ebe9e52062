"""What the tests of several environments need."""

from collections.abc import Iterator

import pygame
import pytest


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Windows open nowhere, and do not wait for a person to see each turn."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr("mindup_env.render.modes.FRAMES_PER_SECOND", 10_000)
    yield
    pygame.display.quit()
