"""What the tests of several environments need."""

from collections.abc import Iterator

import pygame
import pytest


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Windows open nowhere, and do not wait for a person to see each turn."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for form in ("parallel", "single_agent"):
        monkeypatch.setattr(f"mindup_env.envs.{form}.FRAMES_PER_SECOND", 10_000)
    yield
    pygame.display.quit()
