"""Training from Python: what ``mindup train`` does, but for the final ranking.

PyTorch is loaded by the first training, not by an import of this module.
"""

from collections.abc import Sequence
from pathlib import Path

from mindup_env.runs.processes import LOCAL
from mindup_env.settings.extras import require
from mindup_training.callbacks import Callback
from mindup_training.settings import RunSettings
from mindup_training.train.result import TrainingResult

LIBRARIES = ("matplotlib", "rich", "sb3_contrib", "scipy", "tensorboard", "torch")
"""What a training needs besides the package itself."""


def train(
    settings: RunSettings,
    *,
    callbacks: Sequence[Callback] = (),
    out: Path | str | None = None,
    address: str = LOCAL,
    quiet: bool = False,
) -> TrainingResult:
    """Trains a policy.

    Args:
        settings: the settings, such as ``read_preset("quick").changed({"seed": 1})``. If their
            ``threads`` are 0, the run has as many as the machine has cores.
        callbacks: callbacks that are called after those of the settings. The settings of the run
            do not name them: ``resume`` needs them again.
        out: the folder of the run; a new one in ``runs`` if None.
        address: the address of the Ray cluster for RLlib; it does not change the result.
        quiet: whether to print no progress.

    Returns:
        The policy, the metrics and the evaluations, with the folder that keeps them.

    Raises:
        ValueError: if the settings cannot be trained, or the folder is not empty.
    """
    require("training", "train", *LIBRARIES)
    from mindup_training.train.runs import NewRun, RunOptions, trained_run  # noqa: PLC0415  # it loads PyTorch

    options = RunOptions(callbacks, address, quiet)
    path = None if out is None else Path(out)
    with trained_run(settings.with_threads(), NewRun(path), options) as folder:
        return TrainingResult(folder.path)


def resume(
    folder: Path | str,
    *,
    timesteps: int | None = None,
    callbacks: Sequence[Callback] = (),
    address: str = LOCAL,
    quiet: bool = False,
) -> TrainingResult:
    """Resumes a run from its last checkpoint, bit for bit, or extends a finished one.

    Args:
        folder: the folder of the run.
        timesteps: a new end for a run that is finished.
        callbacks: the callbacks that ``train`` was given.
        address: the address of the Ray cluster for RLlib; it does not change the result.
        quiet: whether to print no progress.

    Returns:
        The policy, the metrics and the evaluations, with the folder that keeps them.

    Raises:
        ValueError: if there is no run, or it has other callbacks.
    """
    require("training", "train", *LIBRARIES)
    from mindup_training.train.runs import RunOptions, resumed_run  # noqa: PLC0415  # it loads PyTorch

    options = RunOptions(callbacks, address, quiet)
    with resumed_run(Path(folder), timesteps, options) as run:
        return TrainingResult(run.path)
