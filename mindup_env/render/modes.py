"""The render modes of an environment: text, a picture, or a window that follows the game."""

from typing import TYPE_CHECKING, Any

from mindup_env.batch_env import BatchEnv
from mindup_env.game import Game

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from mindup_env.render.window import Window

RENDER_MODES = ["ansi", "rgb_array", "human"]


class Renderer:
    """Renders the game of an environment on request; a window follows every turn by itself."""

    def __init__(self, mode: str | None, frames_per_second: int) -> None:
        if mode is not None and mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be None or one of {RENDER_MODES}, not {mode!r}")
        self._mode = mode
        self._frames_per_second = frames_per_second
        self._window: Window | None = None

    def follow(self, env: BatchEnv) -> None:
        """Shows the game after a reset or a step, if there is a window."""
        if self._mode == "human":
            self._show(env._game(0))

    def render(self, game: Game) -> "str | npt.NDArray[np.uint8] | None":
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
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        """Leaves the window out: a copy of an environment opens its own."""
        return {**self.__dict__, "_window": None}

    def _show(self, game: Game) -> None:
        from mindup_env.render.picture import draw  # noqa: PLC0415  # pygame is an extra
        from mindup_env.render.window import Window  # noqa: PLC0415

        if self._window is None:
            self._window = Window(frames_per_second=self._frames_per_second)
        self._window.show(draw(game))
