"""Compiles the code of hints and reviews once after installing, in a process of its own.

This takes a minute or two. In the process of the server it would hold up every request of the
page, and the bots of the game, whose code is compiled too.
"""

import subprocess
import sys
from threading import Event, Thread

import numba

from mindup_env.engine.compiler import cache_folder
from mindup_play.measured_bots import bot_scores
from mindup_play.prepare import COMPILING, HINTS_READY

_JIT_DISABLED: bool = numba.config.DISABLE_JIT  # type: ignore[attr-defined]  # it is untyped


class Preparation:
    """Which code is ready. Before ``start`` all is: then it is compiled where it is used."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._hints, self._reviews = Event(), Event()
        self._hints.set()
        self._reviews.set()
        self.is_compiling = False

    def start(self, bot: str) -> None:
        """Compiles for the hints of ``bot``, unless it is a bot of the user: it may do anything."""
        if bot not in bot_scores() or _JIT_DISABLED or cache_folder(("mindup_env",)) is None:
            return
        self._hints.clear()
        self._reviews.clear()
        self._process = subprocess.Popen(  # noqa: S603  # this program itself, and a bot of ours
            [sys.executable, "-m", "mindup_play.prepare", bot],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what fails there fails here too, where it is shown
            start_new_session=True,  # Ctrl-C at the terminal is for this process
            text=True,
        )
        Thread(target=self._follow, args=(self._process,), daemon=True).start()

    @property
    def hints_ready(self) -> bool:
        return self._hints.is_set()

    @property
    def reviews_ready(self) -> bool:
        return self._reviews.is_set()

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def _follow(self, process: "subprocess.Popen[str]") -> None:
        with process:
            for line in process.stdout or ():
                if line.strip() == COMPILING:
                    self.is_compiling = True
                elif line.strip() == HINTS_READY:
                    self._hints.set()
        self.is_compiling = False
        self._hints.set()
        self._reviews.set()
