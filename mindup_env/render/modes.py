"""The render modes of an environment: text and a picture."""

import numpy as np
import numpy.typing as npt

from mindup_env.checks import InputError, check_choice, require
from mindup_env.game import Game

RENDER_MODES = ["ansi", "rgb_array"]
FRAMES_PER_SECOND = 2
"""Slow enough for a person to follow every turn."""


def check_render_mode(mode: str | None) -> str | None:
    check_choice("render_mode", mode, None, *RENDER_MODES)
    if mode == "rgb_array":
        require("render_mode rgb_array", "render", "PIL")
    return mode


def render(game: Game, mode: str | None) -> str | npt.NDArray[np.uint8]:
    if mode is None:
        raise InputError(f"render_mode is None: pass one of {RENDER_MODES} to the environment")
    if mode == "ansi":
        return str(game)
    from mindup_env.render.picture import draw  # noqa: PLC0415  # Pillow is an extra

    return draw(game)
