"""What a training does at its start, now and then, and at its end."""

import time
from pathlib import Path

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback

from mindup_agents.policy import POLICY_FILE
from mindup_arena.match import win_share_against
from mindup_training.policy_file import NetworkBot, save_policy
from mindup_training.progress import Evaluation, Progress
from mindup_training.run import last_checkpoint, save_checkpoint
from mindup_training.sb3 import NetworkPPO
from mindup_training.settings import EVALUATION_SEED, TrainSettings

_EXPORT_EVERY = 300  # seconds; to write a policy file takes about ten of them


class Evaluations(BaseCallback):
    """Evaluates the network in matches of the arena, and writes the files of the run.

    ``checkpoint.pt`` comes last: a run goes on from it with the other files of that time.
    """

    model: NetworkPPO

    def __init__(self, folder: Path, settings: TrainSettings) -> None:
        super().__init__()
        self._folder = folder
        self._settings = settings
        self._config = settings.config()
        bots = settings.evaluate_against
        self._progress = Progress(folder, bots, self._config.num_players)
        self._evaluated_at = -1
        self._exported = time.monotonic()

    def restore(self, model: NetworkPPO) -> None:
        """Goes back to the checkpoint of the folder, if there is one."""
        with last_checkpoint(self._folder) as saved:
            if saved is None:
                return
            model.set_parameters(saved["parameters"])
            self._progress.made = [Evaluation(*each) for each in saved["evaluations"]]
            model.num_timesteps = self._evaluated_at = saved["timesteps"]
            # SB3 resets the games, which deals the next episode.
            model.games.episode = saved["episode"] - 1
            model.restart(saved["remaining"], saved["seconds"])
            torch.set_rng_state(saved["torch"])
            np.random.set_state(saved["numpy"])  # noqa: NPY002  # by which SB3 shuffles

    def _on_training_start(self) -> None:
        self._progress.begin()
        if self._evaluated_at < 0:
            self._evaluate()
            # Most of the time so far was compilation.
            self.model.restart()
        self._due_before = self._due()

    def _on_rollout_start(self) -> None:
        if self._due() > self._due_before:
            self._evaluate()
            self._due_before = self._due()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.logger.record("rollout/win_share", self.model.games.win_share)

    def _on_training_end(self) -> None:
        timesteps = self.model.num_timesteps
        if self._evaluated_at < timesteps:  # else it was over before it was resumed
            self._evaluate(is_last=True)
        self.logger.record("time/total_timesteps", timesteps, exclude="tensorboard")
        self.logger.dump(timesteps)

    def _due(self) -> int:
        """The evaluations that are due by now, after the first."""
        return int((1 - self.model.remaining) * self._settings.evaluations)

    def _evaluate(self, *, is_last: bool = False) -> None:
        timesteps = self.model.num_timesteps
        self.model.network.eval()
        played = NetworkBot(self.model.network)
        deals = self._settings.evaluation_deals
        shares = []
        for bot in self._settings.evaluate_against:
            share = win_share_against(played, bot, self._config, deals, EVALUATION_SEED)
            self.logger.record(f"win_share/{bot}", share.value, exclude="csv")
            shares.append(share)
        self._progress.add(timesteps, self.model.remaining, self.model.seconds, shares)
        if is_last or time.monotonic() - self._exported > _EXPORT_EVERY:
            self._export()
        self._evaluated_at = timesteps
        self._save()

    def _save(self) -> None:
        kind, numbers, *more = np.random.get_state(legacy=True)  # noqa: NPY002  # that of SB3
        saved = {
            "parameters": self.model.get_parameters(),
            "evaluations": [tuple(each) for each in self._progress.made],
            "timesteps": self.model.num_timesteps,
            "episode": self.model.games.episode,
            "remaining": self.model.remaining,
            "seconds": self.model.seconds,
            "torch": torch.get_rng_state(),
            "numpy": (kind, np.asarray(numbers).tolist(), *more),
        }
        save_checkpoint(self._folder, saved)

    def _export(self) -> None:
        save_policy(self.model.network, self._config, self._folder / POLICY_FILE)
        self._exported = time.monotonic()
