"""Per-card evaluations that a bot exposes: hints for players, and records of games, show them."""

from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent
from mindup_env.settings.checks import describe_array, shown

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

        Only the values of cards in the hand have a meaning. The next call of ``act`` may replace
        the values in the array.
        """
        ...


class CardEvaluation(NamedTuple):
    """The evaluation of a hand."""

    unit: str  # one of UNITS
    values: dict[int, float]  # by card number

    def to_dict(self) -> dict[str, Any]:
        values = {str(card): round(value, 4) for card, value in self.values.items()}
        return {"unit": self.unit, "values": values}


def check_evaluations(unit: Any, values: Any, shape: tuple[int, int]) -> None:
    """Refuses what a bot of one's own may return instead of a unit and values (B, num_cards)."""
    if unit not in UNITS:
        raise ValueError(f"the unit of evaluations must be one of {UNITS}, not {shown(unit)}")
    if (
        not isinstance(values, np.ndarray)
        or values.shape != shape
        or not np.issubdtype(values.dtype, np.floating)
    ):
        raise ValueError(
            f"evaluations must be floats of shape {shape}, not {describe_array(values)}"
        )


def evaluation_of(agent: Agent, hand: tuple[int, ...]) -> CardEvaluation | None:
    """What ``agent`` last computed for ``hand``, its only row; None if it exposes nothing."""
    if not isinstance(agent, CardEvaluator):
        return None
    unit, values = agent.evaluate_cards()
    return CardEvaluation(unit, {card: float(values[0, card - 1]) for card in hand})
