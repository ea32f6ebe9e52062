"""Win shares of a policy in training against bots, and against its own snapshots."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from mindup_agents.policy import Policy, PolicyAgent
from mindup_arena.estimate import Estimate
from mindup_arena.match import win_share_against
from mindup_env.agent import Agent, make_agent
from mindup_env.config import GameConfig
from mindup_training.settings import RunSettings

EVALUATION_SEED = 2**40
"""Training seeds are below 2**32, so its deals occur in no training."""

T = TypeVar("T")
MakeAgent = Callable[[GameConfig], Agent]


def evaluate(
    policy: Policy, settings: RunSettings, snapshots: Mapping[str, Policy]
) -> Iterator[tuple[str, Estimate]]:
    """Each opponent's name, and the win share of the policy against copies of it.

    This is the mean over the games. With several numbers of players, the win share against a bot at
    each of them follows, with names such as ``greedy at 3 players``.

    Against bots the policy plays its most likely card. Against snapshots both sample their cards,
    as they do in training.
    """
    play = partial(PolicyAgent.of, own_code=settings.own_code, num_threads=max(1, settings.threads))
    most_likely = partial(play, policy)
    for bot in settings.evaluation_bots:
        shares = _win_shares(most_likely, partial(make_agent, bot), settings)
        yield bot, _mean(shares)
        for players, parts in split_by_players(settings.configs, shares).items():
            yield at_players(bot, players), _mean(parts)
    sampling = partial(play, policy, temperature=1)
    for name, snapshot in snapshots.items():
        opponent = partial(play, snapshot, temperature=1)
        yield name, _mean(_win_shares(sampling, opponent, settings))


def at_players(bot: str, players: int) -> str:
    """The name of the evaluation against a bot at one of several numbers of players."""
    return f"{bot} at {players} players"


def is_of_one_table(name: str) -> bool:
    """Whether this is a name that ``at_players`` gives."""
    return re.fullmatch(r".+ at \d players", name) is not None


def split_by_players(configs: Sequence[GameConfig], values: Sequence[T]) -> dict[int, list[T]]:
    """The values of the games with each number of players; empty if there is only one number."""
    found: dict[int, list[T]] = {}
    for config, value in zip(configs, values, strict=True):
        found.setdefault(config.num_players, []).append(value)
    return found if len(found) > 1 else {}


def _win_shares(make: MakeAgent, make_opponent: MakeAgent, settings: RunSettings) -> list[Estimate]:
    """The win share in the games of each config, which have equally many deals."""
    configs = settings.configs
    deals = math.ceil(settings.evaluation_deals / len(configs))
    return [
        win_share_against(make(config), make_opponent(config), config, deals, EVALUATION_SEED)
        for config in configs
    ]


def _mean(parts: Sequence[Estimate]) -> Estimate:
    """The mean of independent estimates."""
    value = sum(part.value for part in parts) / len(parts)
    below = math.hypot(*(part.value - part.low for part in parts)) / len(parts)
    above = math.hypot(*(part.high - part.value for part in parts)) / len(parts)
    return Estimate(value, value - below, value + above)
