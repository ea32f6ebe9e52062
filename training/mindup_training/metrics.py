"""The figures of a run, for people to plot: as CSV and for TensorBoard."""

from collections.abc import Mapping

from torch.utils.tensorboard import SummaryWriter

from mindup_arena.estimate import Estimate
from mindup_training.records import Records
from mindup_training.run_folder import RunFolder

NOTHING_YET = -1


class Metrics:
    def __init__(self, folder: RunFolder, timesteps: int) -> None:
        """A resumed run replaces what was recorded after ``timesteps``."""
        self._rollouts = Records(folder.metrics, timesteps)
        self._evaluations = Records(folder.evaluations, timesteps)
        self._board = SummaryWriter(str(folder.tensorboard), purge_step=timesteps + 1)

    def add_rollout(self, timesteps: int, figures: Mapping[str, float]) -> None:
        self._rollouts.add(timesteps, dict(figures))
        for name, value in figures.items():
            self._board.add_scalar(name, value, timesteps)

    def add_evaluation(self, timesteps: int, results: Mapping[str, Estimate]) -> None:
        for bot, share in results.items():
            self._evaluations.add(timesteps, {"opponent": bot, **share._asdict()})
            self._board.add_scalar(f"win_share/{bot}", share.value, timesteps)
        self._board.flush()

    def close(self) -> None:
        self._board.close()
