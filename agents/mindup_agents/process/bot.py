"""The bot ``process``: a program in any language that chooses the cards."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.process.child import ProgramError
from mindup_agents.process.program import Program
from mindup_agents.process.retries import choose_in_parts
from mindup_agents.process.seat_views import seat_views
from mindup_env.agent import FailedRowsError, RestOfSpec, check_act_arguments
from mindup_env.config import GameConfig
from mindup_env.threads.exclusive import BusyFlag, exclusive


class ProcessBot:
    """Asks a program in any language, which speaks JSON lines."""

    def __init__(
        self, config: GameConfig, command: RestOfSpec, run_folder: Path | None = None
    ) -> None:
        self._config = config
        self._arguments = config, command, run_folder
        self._program = Program(command, config, run_folder)
        self._busy = BusyFlag()
        try:
            self._program.start()
        except ProgramError as error:
            raise ValueError(str(error)) from None

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has a process of its own."""
        return ProcessBot, self._arguments

    @exclusive
    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        check_act_arguments(self._config, observation, action_mask, episode_start, random_bits)
        actions = np.zeros(len(observation), np.int64)
        rows = np.flatnonzero(action_mask.any(axis=1))  # the seats that hold a card
        if len(rows):
            views = self._program.ready.views
            seats = seat_views(self._config, observation[rows], random_bits[rows], views)
            answer = choose_in_parts(self._program.choose, seats)
            actions[rows] = np.maximum(np.array(answer.cards) - 1, 0)
            if answer.problems:
                reasons = {int(rows[seat]): text for seat, text in answer.problems.items()}
                raise FailedRowsError(actions, reasons)
        return actions
