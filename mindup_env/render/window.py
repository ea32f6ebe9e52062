"""A window that shows games to a person."""

import numpy as np
import numpy.typing as npt

from mindup_env.render.pygame_extra import pygame


class Window:
    """Opens with the first frame, in the size of that frame.

    A window that a person closed stays closed, and later frames are ignored.

    Args:
        title: the title of the window.
        frames_per_second: ``show`` waits so that there are at most this many; no limit if None.
    """

    def __init__(self, title: str = "Mind Up!", frames_per_second: float | None = None) -> None:
        if frames_per_second is not None and not frames_per_second > 0:
            raise ValueError(f"frames_per_second must be positive, not {frames_per_second}")
        self._title = title
        self._frames_per_second = frames_per_second
        self._clock = pygame.time.Clock()
        self._surface: pygame.Surface | None = None
        self.closed = False

    def show(self, frame: npt.NDArray[np.uint8]) -> None:
        """Shows RGB pixels, uint8 (height, width, 3), unless the window was closed."""
        if self.closed:
            return
        size = (frame.shape[1], frame.shape[0])
        if self._surface is None or self._surface.get_size() != size:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._surface = pygame.display.set_mode(size)
        pygame.surfarray.blit_array(self._surface, frame.swapaxes(0, 1))
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
        if self._frames_per_second is not None:
            self._clock.tick(self._frames_per_second)

    def close(self) -> None:
        if self._surface is not None:
            # Not pygame.quit, because the program may use other parts of pygame.
            pygame.display.quit()
        self._surface = None
        self.closed = True
