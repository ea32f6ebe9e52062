"""What a policy looks at, when it chooses a card."""

from collections.abc import Callable
from typing import Any

from mindup_agents.inspection.occlusion import Means, occlusions, self_play_rows
from mindup_agents.policy import PolicyAgent
from mindup_env import GameConfig
from mindup_env.agent import Agent

_GAMES = 4
"""Games against itself, in whose positions features are averaged."""
_MOST_SHOWN = 5


def feature_reader(agent: Agent, config: GameConfig) -> Callable[[], list[dict[str, Any]]] | None:
    """Reads what a policy at one seat has just chosen from; None for a bot that is no policy.

    The function returns the names of features, and how much of the choice moves to other cards
    without them; the policy is not changed.
    """
    if not isinstance(agent, PolicyAgent):
        return None
    evaluator = agent.evaluator
    # The games against itself have rows of their own: the memory of the agent starts again.
    means = Means.of(self_play_rows(agent, config, _GAMES, seed=0), evaluator.encoder.shape)

    def read() -> list[dict[str, Any]]:
        found = occlusions(evaluator, evaluator.rows.copy(), means)
        moved = sorted(((float(each.moved[0]), each.name) for each in found), key=lambda e: -e[0])
        return [{"name": name, "moved": round(share, 4)} for share, name in moved[:_MOST_SHOWN]]

    return read
