"""The table of a game as a picture, drawn by pygame, and a window to watch it in.

Nothing else of the package imports pygame, which is an optional dependency.
"""

import os

# pygame greets on standard output, where a program's own output belongs.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

try:
    import pygame  # noqa: F401  # only whether it is there
except ImportError as error:
    raise ImportError(
        "pictures are drawn by pygame-ce: pip install 'mindup-env[render]'"
    ) from error
