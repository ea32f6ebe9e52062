"""The render modes of an environment: text, a picture, or a window that follows the game."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.game import Game

RENDER_MODES = ["ansi", "rgb_array", "human"]
FRAMES_PER_SECOND = 2
"""Slow enough for a person to follow every turn."""


class Renderer:
    """Renders the game of an environment on request; in a window, environments show every turn.

    A window that a person closed stays closed until the environment is closed too.
    """

    def __init__(self, mode: str | None) -> None:
        if mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode must be None or one of {RENDER_MODES}, not {mode!r}")
        self._mode = mode
        self._window: Any = None  # its screen and its clock
        self._is_dismissed = False

    def render(self, game: Game) -> str | npt.NDArray[np.uint8] | None:
        if self._mode is None:
            raise ValueError(f"render_mode is None: pass one of {RENDER_MODES} to the environment")
        if self._mode == "ansi":
            return str(game)
        if self._mode == "human":
            self._show(game)
            return None
        from mindup_env.render.picture import draw  # noqa: PLC0415  # pygame is an extra

        return draw(game)

    def close(self) -> None:
        if self._window is not None:
            from mindup_env.render.canvas import pygame  # noqa: PLC0415  # pygame is an extra

            # Not pygame.quit, because the program may use other parts of pygame.
            pygame.display.quit()
        self._window, self._is_dismissed = None, False

    def __getstate__(self) -> dict[str, Any]:
        """Leaves the window out: a copy of an environment opens its own."""
        return {"_mode": self._mode, "_window": None, "_is_dismissed": False}

    def _show(self, game: Game) -> None:
        """Shows the game unless the window was closed; waits as long as a frame lasts."""
        from mindup_env.render.canvas import HEIGHT, WIDTH, pygame  # noqa: PLC0415
        from mindup_env.render.picture import draw  # noqa: PLC0415  # pygame is an extra

        if self._is_dismissed:
            return
        if self._window is None:
            pygame.display.init()
            pygame.display.set_caption("Mind Up!")
            self._window = pygame.display.set_mode((WIDTH, HEIGHT)), pygame.time.Clock()
        screen, clock = self._window
        pygame.surfarray.blit_array(screen, draw(game).swapaxes(0, 1))
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self._is_dismissed = True
        clock.tick(FRAMES_PER_SECOND)
