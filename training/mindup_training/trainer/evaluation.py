"""Win shares of a policy in training against bots and its own snapshots, and their picture."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from mindup_agents.policy import Policy, PolicyAgent
from mindup_arena.estimate import COVERAGE, Estimate
from mindup_arena.match import win_share_against
from mindup_env.agent import Agent, make_agent
from mindup_env.config import GameConfig
from mindup_env.report.picture import open_figure
from mindup_env.settings.checks import shortened
from mindup_training.loggers.csv_files import OPPONENT, TIMESTEPS, WIN_SHARE, read_table
from mindup_training.run_folder import RunPaths
from mindup_training.settings import RunSettings

if TYPE_CHECKING:  # matplotlib is an extra
    from matplotlib.figure import Figure

EVALUATION_SEED = 2**40
"""Training seeds are below 2**32, so its deals occur in no training."""
_LONGEST_NAME = 40
"""Characters of a bot in the legend: the path of a policy would leave no room for the curves."""


def evaluate(
    policy: Policy, settings: RunSettings, snapshots: Mapping[str, Policy]
) -> Iterator[tuple[str, Estimate]]:
    """Each opponent's name, and the win share of the policy against copies of it.

    This is the mean over the games. With several numbers of players, the win share against a bot at
    each of them follows, with names such as ``greedy at 3 players``.

    Against bots the policy plays its most likely card. Against snapshots both sample their cards,
    as they do in training.
    """
    configs = settings.configs
    play = partial(PolicyAgent.of, own_code=settings.own_code)

    def win_shares(
        temperature: float, make_opponent: Callable[[GameConfig], Agent]
    ) -> list[Estimate]:
        """Those in the games of each config, which have equally many deals."""
        deals = math.ceil(settings.evaluation_deals / len(configs))
        return [
            win_share_against(
                play(policy, config, temperature=temperature),
                make_opponent(config),
                config,
                deals,
                EVALUATION_SEED,
            )
            for config in configs
        ]

    for bot in settings.evaluation_bots:
        yield from means(bot, configs, win_shares(0, partial(make_agent, bot)))
    for name, snapshot in snapshots.items():
        yield name, _mean(win_shares(1, partial(play, snapshot, temperature=1)))


def at_players(bot: str, players: int | str) -> str:
    """The name of the evaluation against a bot at one of several numbers of players."""
    return f"{bot} at {players} players"


def means(
    bot: str, configs: Sequence[GameConfig], shares: Sequence[Estimate]
) -> Iterator[tuple[str, Estimate]]:
    """The mean over all games and, with several numbers of players, that at each of them."""
    yield bot, _mean(shares)
    by_players: dict[int, list[Estimate]] = {}
    for config, share in zip(configs, shares, strict=True):
        by_players.setdefault(config.num_players, []).append(share)
    if len(by_players) > 1:
        for players, parts in by_players.items():
            yield at_players(bot, players), _mean(parts)


def _mean(parts: Sequence[Estimate]) -> Estimate:
    """The mean of independent estimates."""
    value = sum(part.value for part in parts) / len(parts)
    below = math.hypot(*(part.value - part.low for part in parts)) / len(parts)
    above = math.hypot(*(part.high - part.value for part in parts)) / len(parts)
    return Estimate(value, value - below, value + above)


def draw_curve(paths: RunPaths, settings: RunSettings) -> "Figure":
    """The evaluations and, where the metrics have it, below them the win share in training.

    These are not comparable: in training, cards are sampled, and the opponents may be others. With
    several numbers of players, both are the means over all games.
    """
    evaluations, rollouts = read_table(paths.evaluations), read_table(paths.metrics)
    num_panels = 1 + (WIN_SHARE in rollouts)
    figure = open_figure(7, 2 + 2.5 * num_panels, f"intervals: {COVERAGE} %, over deals")
    panels = figure.subplots(num_panels, sharex=True, squeeze=False)[:, 0]
    axes = panels[0]
    for panel in panels:
        equal = 100 * settings.equal_share
        panel.axhline(equal, color="grey", linestyle="--", linewidth=1, label="equal")
        panel.set(ylabel="win share, %", ylim=(0, 100))
    for bot in dict.fromkeys(evaluations.get(OPPONENT, ())):
        if re.fullmatch(at_players(".+", r"\d"), bot):
            continue
        rows = evaluations[OPPONENT] == bot
        steps = evaluations[TIMESTEPS][rows]
        shares, low, high = (100 * evaluations[name][rows] for name in Estimate._fields)
        label = f"against {shortened(bot, _LONGEST_NAME)}"
        (line,) = axes.plot(steps, shares, marker="o", markersize=3, label=label)
        axes.fill_between(steps, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set_title("evaluations")
    if WIN_SHARE in rollouts:
        steps, shares = rollouts[TIMESTEPS], 100 * rollouts[WIN_SHARE]
        panels[1].plot(steps, shares, color="black", linewidth=0.8, label="learner")
        panels[1].set_title("in training, cards sampled")
    panels[-1].set_xlabel("decisions learned from")
    if settings.checkpoint_times.first > 0:  # it stretches the start of the training
        # Linear up to the first checkpoint, because a training starts at 0.
        after_start = filter(None, evaluations.get(TIMESTEPS, ()))
        axes.set_xscale("symlog", linthresh=min(after_start, default=1.0))
        axes.set_xlim(left=0)
    axes.legend(loc="best")
    return figure
