"""The learning curve of an imitation as a picture: the errors by epoch."""

from typing import TYPE_CHECKING

from mindup_training.loggers.csv_files import TIMESTEPS, read_csv_log
from mindup_training.run_folder import RunPaths
from mindup_training.train.curve import save_figure

if TYPE_CHECKING:  # matplotlib is an extra
    from matplotlib.figure import Figure

_PANELS = {"policy_loss": "loss of the policy", "value_error": "squared error of the value"}


def plot_errors(paths: RunPaths) -> None:
    """Draws the metrics of an imitation."""
    save_figure(make_errors_figure(paths), paths.curve)


def make_errors_figure(paths: RunPaths) -> "Figure":
    from matplotlib.figure import Figure  # noqa: PLC0415  # slow to load, and only used here

    rows = read_csv_log(paths.metrics)
    steps = [float(row[TIMESTEPS]) for row in rows]
    figure = Figure(figsize=(9, 4), layout="constrained")
    for axes, (name, title) in zip(figure.subplots(1, 2), _PANELS.items(), strict=True):
        for label, column in (("learned", name), ("held out", f"held_out_{name}")):
            errors = [float(row[column]) for row in rows]
            axes.plot(steps, errors, marker="o", markersize=3, label=label)
        axes.set(xlabel="decisions learned from", ylabel=title)
        axes.legend(loc="best")
    return figure
