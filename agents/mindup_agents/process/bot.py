"""The bot ``process``: a program in any language that chooses the cards."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.process.messages import Answer, ProgramError, UnflushedError, seat_views
from mindup_agents.process.program import Program
from mindup_env.agent import FailedRowsError, RestOfSpec, check_act_arguments
from mindup_env.config import GameConfig

Seats = list[dict[str, Any]]

MOST_FAILURES, _MOST_WITHOUT_ANSWER = 24, 3
"""So many failures in one call are the end, the second if there was no answer at all."""


class ProcessBot:
    """Asks a program in any language, which speaks JSON lines."""

    def __init__(
        self, config: GameConfig, command: RestOfSpec, run_folder: Path | None = None
    ) -> None:
        self._config = config
        self._arguments = config, command, run_folder
        self._program = Program(command, config, run_folder)
        try:
            self._program.start()
        except ProgramError as error:
            raise ValueError(str(error)) from None

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has a process of its own."""
        return ProcessBot, self._arguments

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


def choose_in_parts(choose: Callable[[Seats], Answer], seats: Seats) -> Answer:
    """Finds the seats at which a program fails, so that it forfeits their games and no others.

    A crash in a message of many seats does not tell which of them caused it. So they are sent
    again in smaller messages, the first, the last, and halves; a new process follows each failure.
    """
    cards, problems = [0] * len(seats), dict[int, str]()
    pending, failures, answered = [range(len(seats))], 0, False
    while pending:
        part = pending.pop()
        try:
            answer = choose([seats[seat] for seat in part])
        except ProgramError as error:
            failures += 1
            most = MOST_FAILURES if answered else _MOST_WITHOUT_ANSWER
            if failures == most or isinstance(error, UnflushedError):
                problems |= {seat: str(error) for rest in (*pending, part) for seat in rest}
                break
            if len(part) == 1:
                problems[part[0]] = str(error)
                continue
            half = len(part) // 2
            parts = [part[half:], part[:half]]
            if failures == 1:
                # A program that fails everywhere fails at both ends too: they show it soon.
                parts = [part[half:-1], part[1:half], part[-1:], part[:1]]
            pending += filter(None, parts)
            continue
        answered = True
        for seat, card in zip(part, answer.cards, strict=True):
            cards[seat] = card
        problems |= {part[index]: problem for index, problem in answer.problems.items()}
    return Answer(cards, problems)
