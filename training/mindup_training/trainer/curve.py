"""The learning curve as a picture: win share against each bot during the training."""

from collections import defaultdict
from typing import TYPE_CHECKING

from mindup_training.loggers.csv_files import TIMESTEPS, WIN_SHARE, read_csv_log
from mindup_training.run_folder import RunPaths
from mindup_training.trainer.evaluation import is_of_one_table

if TYPE_CHECKING:  # matplotlib is an extra
    from matplotlib.figure import Figure


def draw_curve(paths: RunPaths, equal_share: float, *, log_scale: bool) -> "Figure":
    """The evaluations, and the win share in training where the metrics have it.

    With several numbers of players, these are the means over all games. ``log_scale`` stretches the
    start of the training.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415  # slow to load, and only used here

    points: dict[str, list[list[float]]] = defaultdict(list)
    for row in read_csv_log(paths.evaluations):
        percent = (100 * float(row[name]) for name in ("value", "low", "high"))
        if not is_of_one_table(row["opponent"]):
            points[row["opponent"]].append([float(row[TIMESTEPS]), *percent])
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.axhline(100 * equal_share, color="grey", linestyle="--", linewidth=1, label="equal")
    for bot, rows in points.items():
        steps, shares, low, high = zip(*rows, strict=True)
        (line,) = axes.plot(steps, shares, marker="o", markersize=3, label=f"against {bot}")
        axes.fill_between(steps, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    rollouts = [
        (float(row[TIMESTEPS]), 100 * float(row[WIN_SHARE]))
        for row in read_csv_log(paths.metrics)
        if WIN_SHARE in row
    ]
    if rollouts:
        label = "in training, cards sampled"
        axes.plot(*zip(*rollouts, strict=True), color="black", linewidth=0.8, label=label)
    axes.set(
        xlabel="decisions learned from",
        ylabel="win share, %",
        title="learning curve, with 95 % intervals",
        ylim=(0, 100),
    )
    if log_scale:
        # Linear up to the first checkpoint, because a training starts at 0.
        after_start = [row[0] for rows in points.values() for row in rows if row[0] > 0]
        axes.set_xscale("symlog", linthresh=min(after_start, default=1.0))
        axes.set_xlim(left=0)
    axes.legend(loc="best")
    return figure
