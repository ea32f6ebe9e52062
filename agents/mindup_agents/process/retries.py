"""Finds the seats at which a program fails, so that it forfeits their games and no others.

A crash in a message of many seats does not tell which of them caused it. So they are sent again
in smaller messages, each failure being followed by a new process.
"""

from collections.abc import Callable, Sequence
from typing import Any

from mindup_agents.process.child import ProgramError
from mindup_agents.process.messages import Answer

Seats = Sequence[dict[str, Any]]

MOST_FAILURES = 24
"""So many failures in one call are the end, or 3 if there was no answer at all."""
_MOST_WITHOUT_ANSWER = 3


def choose_in_parts(choose: Callable[[list[dict[str, Any]]], Answer], seats: Seats) -> Answer:
    """Asks ``choose`` for all seats; after a ProgramError, for the first, the last, and halves."""
    cards, problems = [0] * len(seats), dict[int, str]()
    pending, failures, answered = [range(len(seats))], 0, False
    while pending:
        part = pending.pop()
        try:
            answer = choose([seats[seat] for seat in part])
        except ProgramError as error:
            failures += 1
            if failures == (MOST_FAILURES if answered else _MOST_WITHOUT_ANSWER):
                pending.append(part)
                problems |= {seat: str(error) for rest in pending for seat in rest}
                break
            if len(part) == 1:
                problems[part[0]] = str(error)
            else:
                pending += _halves(part) if failures > 1 else _ends_first(part)
            continue
        answered = True
        for seat, card in zip(part, answer.cards, strict=True):
            cards[seat] = card
        problems |= {part[index]: problem for index, problem in answer.problems.items()}
    return Answer(cards, problems)


def _ends_first(part: range) -> list[range]:
    """A program that fails everywhere fails at both ends too: these show it in little time."""
    middle = _halves(part[1:-1]) if len(part) > 2 else []
    return [*middle, part[-1:], part[:1]]


def _halves(part: range) -> list[range]:
    half = len(part) // 2
    return [part[half:], part[:half]] if half else [part]
