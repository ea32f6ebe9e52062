"""The render modes of an environment: text, a picture, or a window that follows the game."""

import numpy as np
import numpy.typing as npt

from mindup_env.checks import InputError
from mindup_env.game import Game

RENDER_MODES = ["ansi", "rgb_array", "human"]
FRAMES_PER_SECOND = 2
"""Slow enough for a person to follow every turn."""


class Renderer:
    """Renders the game of an environment on request; in a window, environments show every turn.

    A process has one window. If a person closes it, it stays closed until the environment is
    closed too.
    """

    def __init__(self, mode: str | None) -> None:
        if mode not in (None, *RENDER_MODES):
            raise InputError(f"render_mode must be None or one of {RENDER_MODES}, not {mode!r}")
        self._mode = mode
        self._is_shown = False
        self._is_dismissed = False

    def render(self, game: Game) -> str | npt.NDArray[np.uint8] | None:
        if self._mode is None:
            raise InputError(f"render_mode is None: pass one of {RENDER_MODES} to the environment")
        if self._mode == "ansi":
            return str(game)
        from mindup_env.render.picture import draw  # noqa: PLC0415  # pygame is an extra

        if self._mode == "rgb_array":
            return draw(game)
        if not self._is_dismissed:
            self._show(draw(game))
        return None

    def close(self) -> None:
        if self._is_shown:
            from mindup_env.render.canvas import pygame  # noqa: PLC0415  # pygame is an extra

            # Not pygame.quit, because the program may use other parts of pygame.
            pygame.display.quit()
        self._is_shown = self._is_dismissed = False

    def _show(self, picture: npt.NDArray[np.uint8]) -> None:
        """Shows a picture for as long as a frame lasts."""
        from mindup_env.render.canvas import pygame  # noqa: PLC0415  # pygame is an extra

        pixels = picture.swapaxes(0, 1)
        screen = pygame.display.get_surface()
        if screen is None or screen.get_size() != pixels.shape[:2]:  # that of another environment
            pygame.display.init()
            pygame.display.set_caption("Mind Up!")
            screen = pygame.display.set_mode(pixels.shape[:2])
        self._is_shown = True
        pygame.surfarray.blit_array(screen, pixels)
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self._is_dismissed = True
        pygame.time.wait(1000 // FRAMES_PER_SECOND)
