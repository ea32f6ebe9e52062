"""Datasets that are made in the process of a test, which takes a fraction of the time.

There are also bots whose evaluations are wrong.
"""

from pathlib import Path
from unittest.mock import patch

import numpy as np

from mindup_agents.card_evaluation import EXPECTED_POINTS
from mindup_agents.simple import LowestAgent
from mindup_training.dataset import DatasetSettings, make, make_dataset
from tests.arena.reports import play_here


def play_dataset(settings: DatasetSettings, folder: Path) -> None:
    with patch.object(make, "play_in_processes", play_here):
        make_dataset(settings, folder, progress=False)


class WrongShape(LowestAgent):
    def evaluate_cards(self) -> tuple[str, np.ndarray]:
        return EXPECTED_POINTS, np.zeros(3)


class WrongUnit(LowestAgent):
    def evaluate_cards(self) -> tuple[str, np.ndarray]:
        return "luck", np.zeros(3)
