"""What bots expose: evaluations of the cards of a hand, and predictions of the opponents' cards."""

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent

EXPECTED_POINTS = "expected points"
WIN_PROBABILITY = "chance to win"
COMPARED = "value, to compare cards by"
CARD_PROBABILITY = "how often it plays the card"


@runtime_checkable
class CardEvaluator(Protocol):
    """An optional protocol of agents: they evaluate the cards that they choose from."""

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]]:
        """The unit, and the values (B, num_cards) for the B rows of the last call of ``act``.

        Only those of cards in the hand have a meaning. The next ``act`` may replace the array.
        """
        ...


def evaluation_of(agent: Agent, hand: tuple[int, ...]) -> dict[str, Any] | None:
    """What ``agent`` last computed for ``hand``, its only row, as plain data for JSON.

    It has the unit, and the values by card number. None if the agent exposes nothing.
    """
    if not isinstance(agent, CardEvaluator):
        return None
    unit, values = agent.evaluate_cards()
    shown = {str(card): round(float(values[0, card - 1]), 4) for card in hand}
    return {"unit": unit, "values": shown}


def predictions_of(agent: Agent) -> list[dict[str, float]] | None:
    """What ``agent`` last predicted of each opponent in its only row, by card number.

    An optional ``predict_cards()`` returns the probabilities (B, num_players - 1, num_cards) that
    each opponent plays each card, from the seat after the agent's on, or None.
    """
    predict = getattr(agent, "predict_cards", None)
    predicted = predict and predict()
    if predicted is None:
        return None
    rows = predicted[0].round(4).tolist()
    return [{str(card): chance for card, chance in enumerate(row, 1) if chance} for row in rows]
