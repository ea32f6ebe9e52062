"""Win shares of a policy in training against bots, and against its own snapshots."""

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from mindup_agents.policy import Policy, PolicyAgent
from mindup_arena.estimate import Estimate
from mindup_arena.match import win_share_against
from mindup_env.agent import Agent, make_agent
from mindup_env.config import GameConfig
from mindup_training.settings import TrainSettings

EVALUATION_SEED = 2**40
"""Training seeds are below 2**32, so its deals occur in no training."""

MakeAgent = Callable[[GameConfig], Agent]


def evaluate(
    policy: Policy, settings: TrainSettings, snapshots: Mapping[str, Policy]
) -> Iterator[tuple[str, Estimate]]:
    """Each opponent's name, and the win share of the policy against copies of it.

    Against bots the policy plays its most likely card. Against snapshots both sample their cards,
    as they do in training.
    """
    play = partial(PolicyAgent.of, own_code=settings.own_code, num_threads=max(1, settings.threads))
    most_likely = partial(play, policy)
    for bot in settings.evaluate_against:
        yield bot, _win_share(most_likely, partial(make_agent, bot), settings)
    sampling = partial(play, policy, temperature=1)
    for name, snapshot in snapshots.items():
        opponent = partial(play, snapshot, temperature=1)
        yield name, _win_share(sampling, opponent, settings)


def _win_share(make: MakeAgent, make_opponent: MakeAgent, settings: TrainSettings) -> Estimate:
    """The mean over the configs, whose estimates are independent."""
    configs = settings.configs
    deals = math.ceil(settings.evaluation_deals / len(configs))
    parts = [
        win_share_against(make(config), make_opponent(config), config, deals, EVALUATION_SEED)
        for config in configs
    ]
    value = sum(part.value for part in parts) / len(parts)
    below = math.hypot(*(part.value - part.low for part in parts)) / len(parts)
    above = math.hypot(*(part.high - part.value for part in parts)) / len(parts)
    return Estimate(value, value - below, value + above)
