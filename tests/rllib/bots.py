"""Bots whose workers can be found, and killed."""

import os
import time
from pathlib import Path
from typing import Any

from mindup_env import GameConfig
from tests.arena.bots import Actions, Salted


class Marked(Salted):
    """Leaves in a folder the ids of the process that it plays in, and of the one that began it.

    The folder is named by a file in it that does not exist: the contents of a folder that an option
    names are a part of a bot's fingerprint, and must not change.
    """

    def __init__(self, config: GameConfig, beside: str, pause: float = 0.0) -> None:
        super().__init__(config, salt=1)
        self._pause = pause
        Path(beside).with_name(f"{os.getpid()}-{os.getppid()}").touch()

    def choose(self, *given: Any, **named: Any) -> Actions:
        time.sleep(self._pause)
        return super().choose(*given, **named)


class Failing(Salted):
    """Plays some decisions, and then errs."""

    def __init__(self, config: GameConfig, after: int = 7) -> None:
        super().__init__(config, salt=1)
        self._left = after

    def choose(self, *given: Any, **named: Any) -> Actions:
        self._left -= 1
        if self._left < 0:
            raise ZeroDivisionError("one over none")
        return super().choose(*given, **named)
