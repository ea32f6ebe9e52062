"""How a policy in training fares against bots that stay the same."""

import math
from collections.abc import Iterator

from mindup_agents.arena.estimate import Estimate
from mindup_agents.arena.line_up import win_share_against
from mindup_agents.policy import Policy, PolicyAgent
from mindup_training.settings import Settings

_SEED = 2**40
"""Deals that no training seed plays."""


def evaluate(policy: Policy, settings: Settings) -> Iterator[tuple[str, Estimate]]:
    """Each bot's name, and the win share of the policy against copies of it."""
    configs = settings.configs
    deals = math.ceil(settings.evaluation_deals / len(configs))
    for bot in settings.evaluate_against:
        yield (
            bot,
            _mean(
                [
                    win_share_against(PolicyAgent.of(policy, config), bot, config, deals, _SEED)
                    for config in configs
                ]
            ),
        )


def _mean(parts: list[Estimate]) -> Estimate:
    """Of independent estimates."""
    value = sum(part.value for part in parts) / len(parts)
    below = math.hypot(*(part.value - part.low for part in parts)) / len(parts)
    above = math.hypot(*(part.high - part.value for part in parts)) / len(parts)
    return Estimate(value, value - below, value + above)
