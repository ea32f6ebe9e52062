"""Which games end in a step, known without asking the device."""

import numpy as np

from mindup_env.engine.state import Int64Array


class Clocks:
    """How many turns each of N games has played.

    Nothing but the number of steps changes that, and the states that are put into places: so a
    step knows whether a game ends, and launches what follows, while the device is still playing.
    """

    def __init__(self, num_games: int, num_turns: int, *, autoreset: bool) -> None:
        self._num_turns, self._autoreset = num_turns, autoreset
        # In each step a game begins anew, or is over from then on, when so many steps are done.
        self._ends = np.full(num_games, num_turns, np.int64)
        self._steps = 0
        self._count()

    def restart(self) -> None:
        """All games are at their first turn."""
        self._ends[:] = self._steps + self._num_turns
        self._count()

    def put(self, places: Int64Array, clocks: Int64Array) -> None:
        """The games at ``places`` (n,) have played ``clocks`` (n,) turns."""
        # A game that is over is dealt anew in the next step, like one that this step ends.
        most = self._num_turns - self._autoreset
        self._ends[places] = self._steps + self._num_turns - np.minimum(clocks, most)
        self._count()

    def step(self) -> bool:
        """Counts a step; returns whether a game is over after it."""
        self._steps += 1
        if self._autoreset:
            return bool(self._at[self._steps % self._num_turns])
        return self._steps >= self._first

    def _count(self) -> None:
        """Counts games that end at the same time: all steps, or set_state alone, look at each."""
        ends = self._ends % self._num_turns
        self._at = np.bincount(ends, minlength=self._num_turns)  # (num_turns,) games that end then
        self._first = int(self._ends.min())
