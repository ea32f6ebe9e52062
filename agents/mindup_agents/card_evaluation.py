"""Per-card evaluations that a bot exposes: hints for players, and records of games, show them."""

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent

# The units are written into records of games, so they do not change.
EXPECTED_POINTS = "expected points"
WIN_PROBABILITY = "chance to win"
CARD_PROBABILITY = "how often it plays the card"
UNITS = EXPECTED_POINTS, WIN_PROBABILITY, CARD_PROBABILITY


@runtime_checkable
class CardEvaluator(Protocol):
    """An optional protocol of agents: they evaluate the cards that they choose from."""

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]]:
        """The unit, and the values (B, num_cards) for the B rows of the last call of ``act``.

        Only those of cards in the hand have a meaning. The next ``act`` may replace the array.
        """
        ...


class CardEvaluation(NamedTuple):
    """The evaluation of a hand."""

    unit: str  # one of UNITS
    values: dict[int, float]  # by card number

    def to_dict(self) -> dict[str, Any]:
        values = {str(card): round(value, 4) for card, value in self.values.items()}
        return {"unit": self.unit, "values": values}


def evaluation_of(agent: Agent, hand: tuple[int, ...]) -> CardEvaluation | None:
    """What ``agent`` last computed for ``hand``, its only row; None if it exposes nothing."""
    if not isinstance(agent, CardEvaluator):
        return None
    unit, values = agent.evaluate_cards()
    return CardEvaluation(unit, {card: float(values[0, card - 1]) for card in hand})
