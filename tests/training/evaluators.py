"""Bots whose evaluations are wrong."""

import numpy as np

from mindup_agents.card_evaluation import EXPECTED_POINTS
from mindup_agents.simple import LowestAgent


class WrongShape(LowestAgent):
    def evaluate_cards(self) -> tuple[str, np.ndarray]:
        return EXPECTED_POINTS, np.zeros(3)


class WrongUnit(LowestAgent):
    def evaluate_cards(self) -> tuple[str, np.ndarray]:
        return "luck", np.zeros(3)
