"""What a prize is worth, in parts."""

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.card_values import points_of
from mindup_agents.heuristics.planner_values import strength
from mindup_agents.heuristics.workspace import Workspace
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.state import Rules

Floats = npt.NDArray[np.float32]
Parts = npt.NDArray[np.float64]  # (num_players + 1, NUM_PARTS)

# What points, numbers of turns and of cards are divided by, to be of the size of 1.
POINTS, SCORES, TURNS, CARDS = 5.0, 20.0, 8.0, 4.0

# The parts of a prize's value, each expected for every card.
OWN_POINTS, OWN_OBJECTIVES, OPENING, STRENGTH, OTHERS_POINTS = range(5)
NUM_PARTS = 5


@called
def take_apart(
    rules: Rules, card: int, workspace: Workspace, parts: npt.NDArray[np.float64]
) -> None:
    """Fills ``parts`` (NUM_PARTS,) with what ``card`` is worth as a prize."""
    colour = rules.card_colours[card]
    parts[OWN_POINTS] = points_of(rules, 0, card, workspace)
    parts[OWN_OBJECTIVES] = workspace.gains[0, colour]
    parts[OPENING] = workspace.openings[0, colour]
    parts[STRENGTH] = strength(rules, card)
    parts[OTHERS_POINTS] = others_points(rules, card, workspace)


@compiled
def others_points(rules: Rules, card: int, workspace: Workspace) -> float:
    """What a card is worth to the others, on average."""
    total = 0.0
    for rival in range(1, rules.num_players):
        total += points_of(rules, rival, card, workspace)
    return total / (rules.num_players - 1)
