"""How a policy in training fares against bots that stay the same, and against its past."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from mindup_agents.policy import Policy, PolicyAgent
from mindup_arena.estimate import Estimate
from mindup_arena.match import win_share_against
from mindup_env.agent import Agent, make_agent
from mindup_env.config import GameConfig
from mindup_training.settings import TrainSettings

_SEED = 2**40
"""Deals that no training seed plays."""

Maker = Callable[[GameConfig], Agent]


def evaluate(
    policy: Policy, settings: TrainSettings, snapshots: Mapping[str, Policy]
) -> Iterator[tuple[str, Estimate]]:
    """Each opponent's name, and the win share of the policy against copies of it.

    Bots meet it at its best; snapshots as it is in training, and they too draw their cards.
    """
    at_its_best = partial(PolicyAgent.of, policy)
    for bot in settings.evaluate_against:
        yield bot, _win_share(at_its_best, partial(make_agent, bot), settings)
    in_training = partial(PolicyAgent.of, policy, temperature=1)
    for name, snapshot in snapshots.items():
        past = partial(PolicyAgent.of, snapshot, temperature=1)
        yield name, _win_share(in_training, past, settings)


def _win_share(make: Maker, make_opponent: Maker, settings: TrainSettings) -> Estimate:
    """Averaged over the configs, which are as many independent estimates."""
    configs = settings.configs
    deals = math.ceil(settings.evaluation_deals / len(configs))
    parts = [
        win_share_against(make(config), make_opponent(config), config, deals, _SEED)
        for config in configs
    ]
    value = sum(part.value for part in parts) / len(parts)
    below = math.hypot(*(part.value - part.low for part in parts)) / len(parts)
    above = math.hypot(*(part.high - part.value for part in parts)) / len(parts)
    return Estimate(value, value - below, value + above)
