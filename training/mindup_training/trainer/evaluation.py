"""Win shares of a policy in training against bots, and their picture."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mindup_agents.policy import Policy, PolicyAgent
from mindup_arena.estimate import COVERAGE, Estimate
from mindup_arena.match import win_share_against
from mindup_env.report.picture import open_figure
from mindup_env.settings.checks import shortened
from mindup_training.run_folder import RunFolder
from mindup_training.settings import RunSettings
from mindup_training.trainer.log import OPPONENT, TIMESTEPS, WIN_SHARE, read_table

if TYPE_CHECKING:  # matplotlib is an extra
    from matplotlib.figure import Figure

EVALUATION_SEED = 2**40
"""Training seeds are below 2**32, so its deals occur in no training."""
_LONGEST_NAME = 40
"""Characters of a bot in the legend: the path of a policy would leave no room for the curves."""


def evaluate(policy: Policy, settings: RunSettings) -> Iterator[tuple[str, Estimate]]:
    """Each bot, and the win share of the policy, which plays its likeliest card, against copies."""
    agent = PolicyAgent.of(policy, settings.game, own_code=settings.own_code)
    for bot in settings.evaluate_against:
        deals = settings.evaluation_deals
        yield bot, win_share_against(agent, bot, settings.game, deals, EVALUATION_SEED)


def draw_curve(folder: RunFolder) -> "Figure":
    """The evaluations and, where the metrics have it, below them the win share in training.

    These are not comparable: in training, cards are sampled, and the opponents may be others.
    """
    evaluations, rollouts = read_table(folder.evaluations), read_table(folder.metrics)
    num_panels = 1 + (WIN_SHARE in rollouts)
    figure = open_figure(7, 2 + 2.5 * num_panels, f"intervals: {COVERAGE} %, over deals")
    panels = figure.subplots(num_panels, sharex=True, squeeze=False)[:, 0]
    axes = panels[0]
    for panel in panels:
        equal = 100 / folder.settings.game.num_players
        panel.axhline(equal, color="grey", linestyle="--", linewidth=1, label="equal")
        panel.set(ylabel="win share, %", ylim=(0, 100))
    for bot in dict.fromkeys(evaluations.get(OPPONENT, ())):
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
    axes.legend(loc="best")
    return figure
