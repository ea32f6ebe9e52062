"""The features that matter most to a policy in the turn that it read last, by occlusion."""

from typing import Any

from mindup_agents.inspection.occlusion import Means, occlusions
from mindup_agents.inspection.positions import self_play_rows
from mindup_agents.policy import PolicyAgent
from mindup_env import GameConfig
from mindup_env.agent import Agent

_GAMES = 4
"""Games against itself, in whose positions features are averaged."""
_MOST_SHOWN = 5


class FeatureReader:
    """Reads what a policy at one seat has just chosen from; the policy is not changed."""

    def __init__(self, agent: PolicyAgent, means: Means) -> None:
        self._agent, self._means = agent, means

    def read(self) -> list[dict[str, Any]]:
        """The names of features, and how much of the choice moves to other cards without them."""
        evaluator = self._agent.evaluator
        found = occlusions(evaluator, evaluator.rows.copy(), self._means)
        moved = [(each.name, float(each.moved[0])) for each in found]
        moved.sort(key=lambda each: -each[1])
        return [{"name": name, "moved": round(share, 4)} for name, share in moved[:_MOST_SHOWN]]


def feature_reader(agent: Agent, config: GameConfig) -> FeatureReader | None:
    """None for a bot that is no policy."""
    if not isinstance(agent, PolicyAgent):
        return None
    # The games against itself have rows of their own: the memory of the agent starts again.
    rows = self_play_rows(agent, config, _GAMES, seed=0)
    return FeatureReader(agent, Means.of(rows, agent.evaluator.encoder.shape))
