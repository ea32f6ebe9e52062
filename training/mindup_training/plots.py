"""The learning curve as a picture: win share against each bot during the training."""

import io
from collections import defaultdict
from pathlib import Path

from mindup_env.files import atomic_write
from mindup_training.metrics import TIMESTEPS, read_csv_log


def plot_learning_curve(evaluations: Path, players: int, path: Path) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415  # slow to load, and only used here

    points: dict[str, list[list[float]]] = defaultdict(list)
    for row in read_csv_log(evaluations):
        points[row["opponent"]].append(
            [float(row[TIMESTEPS]), *(100 * float(row[name]) for name in ("value", "low", "high"))]
        )
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.axhline(100 / players, color="grey", linestyle="--", linewidth=1, label="equal")
    for bot, rows in points.items():
        steps, shares, low, high = zip(*rows, strict=True)
        (line,) = axes.plot(steps, shares, marker="o", markersize=3, label=bot)
        axes.fill_between(steps, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set(
        xlabel="decisions learned from",
        ylabel=f"win share against {players - 1} copies of the bot, %",
        title="learning curve, with 95 % intervals",
        ylim=(0, 100),
    )
    axes.legend(loc="upper left")
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=150)
    with atomic_write(path) as file:
        file.write(picture.getvalue())
