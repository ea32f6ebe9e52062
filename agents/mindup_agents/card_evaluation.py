"""What a bot made of the cards that it could have played, for whoever looks over its shoulder."""

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent

POINTS = "expected points"
CHANCE = "chance to win"
ODDS = "how often it plays the card"
UNITS = POINTS, CHANCE, ODDS


@runtime_checkable
class CardEvaluator(Protocol):
    """An agent that can say more than its choice."""

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]]:
        """The unit and the worth of the cards (num_cards,) in the last row that it acted for.

        What stands there for cards that are not in the hand means nothing.
        """
        ...


class CardEvaluation(NamedTuple):
    """In one of the units, for each card of a hand."""

    unit: str
    values: dict[int, float]

    def to_dict(self) -> dict[str, Any]:
        values = {str(card): round(value, 4) for card, value in self.values.items()}
        return {"unit": self.unit, "values": values}


def evaluation_of(agent: Agent, hand: tuple[int, ...]) -> CardEvaluation | None:
    """What ``agent`` has just made of a hand, if it can say."""
    if not isinstance(agent, CardEvaluator):
        return None
    unit, worth = agent.evaluate_cards()
    return CardEvaluation(unit, {card: float(worth[card - 1]) for card in hand})
