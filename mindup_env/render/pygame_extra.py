"""Imports pygame, an optional dependency that draws the pictures, or says how to install it."""

import os

# pygame prints a greeting to standard output, which is for the program's own output.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

try:
    import pygame
    import pygame.freetype
    import pygame.surfarray
    from pygame import FRect  # not in the original pygame
except ImportError as error:
    raise ImportError(
        "pictures are drawn by pygame-ce: pip install 'mindup-env[render]'"
    ) from error

__all__ = ["FRect", "pygame"]
