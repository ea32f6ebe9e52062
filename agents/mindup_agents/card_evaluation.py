"""What bots expose: evaluations of the cards of a hand, and predictions of the opponents' cards."""

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


@runtime_checkable
class CardPredictor(Protocol):
    """An optional protocol of agents: they predict the cards that the opponents play next."""

    def predict_cards(self) -> npt.NDArray[np.floating] | None:
        """The probabilities (B, num_players - 1, num_cards) for the rows of the last ``act``.

        The first opponent is the one after the seat. None if this agent predicts none.
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


def predictions_of(agent: Agent) -> list[dict[str, float]] | None:
    """What ``agent`` last predicted of each opponent in its only row, by card number."""
    predicted = agent.predict_cards() if isinstance(agent, CardPredictor) else None
    if predicted is None:
        return None
    rows = predicted[0].round(4).tolist()
    return [{str(card): chance for card, chance in enumerate(row, 1) if chance} for row in rows]
