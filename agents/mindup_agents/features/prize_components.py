"""The components of a card's value as a prize; a network learns their weights."""

from mindup_agents.heuristics.card_values import placement_points
from mindup_agents.heuristics.planner_values import strength
from mindup_agents.heuristics.workspace import Float64Array, Workspace
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Rules

OWN_POINTS, OWN_OBJECTIVES, OPENING, STRENGTH, OPPONENT_POINTS = range(5)
COMPONENT_NAMES = (
    "own points",
    "own objectives",
    "gain of a new column",
    "strength as a hand card",
    "mean points for opponents",
)
NUM_COMPONENTS = len(COMPONENT_NAMES)

POINT_SCALE = 5.0
"""Points are divided by it, to be of about 1."""


@compiled
def write_components(
    rules: Rules, seat: int, card: int, workspace: Workspace, components: Float64Array
) -> None:
    """Fills ``components`` (NUM_COMPONENTS,) with the value of ``card`` as a prize for ``seat``."""
    colour = rules.card_colours[card]
    components[OWN_POINTS] = placement_points(rules, seat, card, workspace)
    components[OWN_OBJECTIVES] = workspace.objective_gains[seat, colour]
    components[OPENING] = workspace.opening_gains[seat, colour]
    components[STRENGTH] = strength(rules, card)
    components[OPPONENT_POINTS] = mean_opponent_points(rules, seat, card, workspace)


@compiled
def mean_opponent_points(rules: Rules, seat: int, card: int, workspace: Workspace) -> float:
    total = 0.0
    for after in range(1, rules.num_players):
        opponent = (seat + after) % rules.num_players
        total += placement_points(rules, opponent, card, workspace)
    return total / (rules.num_players - 1)
