"""Training from Python: what ``mindup train`` does, but for the final ranking.

PyTorch is loaded by the first training, not by an import of this module.
"""

from functools import cached_property
from pathlib import Path

from mindup_agents.policy import Policy, load_policy
from mindup_env.settings.extras import require
from mindup_training.run_folder import RunFolder
from mindup_training.settings import RunSettings
from mindup_training.settings.presets import read_preset
from mindup_training.trainer.log import Table, read_table

LIBRARIES = ("matplotlib", "rich", "sb3_contrib", "scipy", "tensorboard", "torch")
"""What a training needs besides the package itself."""


class TrainingResult:
    """The result of a training run.

    Args:
        folder: the folder of the run.

    Attributes:
        folder (Path): the folder of the run.
        settings (RunSettings): the settings of the run.
        bot (str): the bot that plays the policy, as ``make_agent`` takes it.
    """

    def __init__(self, folder: Path | str) -> None:
        run = RunFolder.open(Path(folder))
        self.folder: Path = run.path
        self.settings: RunSettings = run.settings
        self.bot: str = run.policy_spec
        self._run = run

    def __repr__(self) -> str:
        return f"<TrainingResult in {self.folder}>"

    @cached_property
    def policy(self) -> Policy:
        """The policy of the last checkpoint."""
        return load_policy(self._run.policy)

    @cached_property
    def metrics(self) -> Table:
        """The metrics of each rollout."""
        return read_table(self._run.metrics)

    @cached_property
    def evaluations(self) -> Table:
        """At each checkpoint, the win share against each opponent with its interval."""
        return read_table(self._run.evaluations)


def train(
    settings: RunSettings | str | Path, *, out: Path | str | None = None, quiet: bool = False
) -> TrainingResult:
    """Trains a policy.

    Args:
        settings: the settings, such as ``read_preset("quick").changed({"seed": 1})``; or a preset,
            as ``mindup train --preset`` takes it: its name or the path of its file. If ``threads``
            are 0, the run has as many as the machine has cores.
        out: the folder of the run; a new one in ``runs`` if None.
        quiet: whether to print no progress.

    Returns:
        The policy, the metrics and the evaluations, with the folder that keeps them.

    Raises:
        ValueError: if there is no such preset, the settings cannot be trained, or the folder is not
            empty.
    """
    require("training", "train", *LIBRARIES)
    from mindup_training.trainer.runs import trained_run  # noqa: PLC0415  # it loads PyTorch

    label = "train"
    if not isinstance(settings, RunSettings):
        label, settings = Path(settings).stem, read_preset(str(settings))
    path = None if out is None else Path(out)
    with trained_run(settings.with_threads(), path, label=label, quiet=quiet) as folder:
        return TrainingResult(folder.path)


def resume(folder: Path | str, *, quiet: bool = False) -> TrainingResult:
    """Resumes a run from its checkpoint, bit for bit.

    Args:
        folder: the folder of the run.
        quiet: whether to print no progress.

    Returns:
        The policy, the metrics and the evaluations, with the folder that keeps them.

    Raises:
        ValueError: if there is no run.
    """
    require("training", "train", *LIBRARIES)
    from mindup_training.trainer.runs import resumed_run  # noqa: PLC0415  # it loads PyTorch

    with resumed_run(Path(folder), quiet=quiet) as run:
        return TrainingResult(run.path)
