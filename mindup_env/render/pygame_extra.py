"""pygame, which draws the pictures: an optional dependency, imported here and nowhere else."""

import os

# pygame greets on standard output, where a program's own output belongs.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

try:
    import pygame
    import pygame.freetype
    import pygame.surfarray
    from pygame import FRect  # which the original pygame lacks
except ImportError as error:
    raise ImportError(
        "pictures are drawn by pygame-ce: pip install 'mindup-env[render]'"
    ) from error

__all__ = ["FRect", "pygame"]
