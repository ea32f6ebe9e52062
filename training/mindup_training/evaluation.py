"""What a training does at its start, now and then, and at its end."""

import csv
import io
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stable_baselines3.common.callbacks import BaseCallback

from mindup_agents.labels import label
from mindup_arena.estimate import COVERAGE
from mindup_arena.match import win_share_against
from mindup_arena.output import open_figure, save_figure
from mindup_env.files import write_text
from mindup_training.policy_file import NetworkBot, save_policy
from mindup_training.run import POLICY, last_checkpoint, save_checkpoint
from mindup_training.sb3 import NetworkPPO
from mindup_training.settings import EVALUATION_SEED, TrainSettings

CURVE = "curve.png"
_EXPORT_EVERY = 300
"""Seconds. To write a policy file takes about ten of them."""


class Evaluation(NamedTuple):
    """A win share against copies of a bot: a line of ``evaluations.csv``."""

    timesteps: int
    opponent: str
    win_share: float
    low: float
    high: float


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
        self._made: list[Evaluation] = []
        self._evaluated_at = -1
        self._exported = time.monotonic()

    def restore(self, model: NetworkPPO) -> None:
        """Goes back to the checkpoint of the folder, if there is one."""
        with last_checkpoint(self._folder) as saved:
            if saved is None:
                return
            model.set_parameters(saved["parameters"])
            self._made = [Evaluation(*each) for each in saved["evaluations"]]
            model.num_timesteps = self._evaluated_at = saved["timesteps"]
            # SB3 resets the games, which deals the next episode.
            model.games.episode = saved["episode"] - 1
            model.restart(saved["remaining"], saved["seconds"])
            # With its seed alone, the first random numbers would come again.
            model.set_random_seed((model.seed + model.num_timesteps) % 2**32)

    def _on_training_start(self) -> None:
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
        if self._evaluated_at < timesteps:
            self._evaluate()
        self.logger.record("time/total_timesteps", timesteps, exclude="tensorboard")
        self.logger.dump(timesteps)
        self._export()

    def _due(self) -> int:
        """The evaluations that are due by now, after the first."""
        return int((1 - self.model.remaining) * self._settings.evaluations)

    def _evaluate(self) -> None:
        timesteps = self.model.num_timesteps
        self.model.network.eval()
        played = NetworkBot(self.model.network)
        deals = self._settings.evaluation_deals
        texts = []
        for bot in self._settings.evaluate_against:
            share = win_share_against(played, bot, self._config, deals, EVALUATION_SEED)
            self._made.append(Evaluation(timesteps, bot, *share))
            self.logger.record(f"win_share/{bot}", share.value, exclude="csv")
            value, low, high = share.times(100)
            texts.append(f"{bot} {value:.1f} ({low:.1f} to {high:.1f})")
        done = f"{1 - self.model.remaining:4.0%} {timesteps:>11,} decisions"
        shares = ", ".join(texts) or "no bot"
        print(f"{done}; win share in % against {shares}", flush=True)
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([Evaluation._fields, *self._made])
        write_text(self._folder / "evaluations.csv", text.getvalue())
        save_figure(self._folder / CURVE, draw_curve(self._made, self._config.num_players))
        if time.monotonic() - self._exported > _EXPORT_EVERY:
            self._export()
        self._evaluated_at = timesteps
        self._save()

    def _save(self) -> None:
        saved = {
            "parameters": self.model.get_parameters(),
            "evaluations": [tuple(each) for each in self._made],
            "timesteps": self.model.num_timesteps,
            "episode": self.model.games.episode,
            "remaining": self.model.remaining,
            "seconds": self.model.seconds,
        }
        save_checkpoint(self._folder, saved)

    def _export(self) -> None:
        save_policy(self.model.network, self._config, self._folder / POLICY)
        self._exported = time.monotonic()


def draw_curve(evaluations: Sequence[Evaluation], num_players: int) -> Any:
    """The win share against each bot over the decisions, with its intervals."""
    figure = open_figure(7, 4.5, f"intervals: {COVERAGE} %, over deals")
    axes: Any = figure.subplots()
    equal = 100 / num_players
    axes.axhline(equal, color="grey", linestyle="--", linewidth=1, label="equal")
    for bot in dict.fromkeys(each.opponent for each in evaluations):
        made = [each for each in evaluations if each.opponent == bot]
        steps = [each.timesteps for each in made]
        shares = [100 * each.win_share for each in made]
        low = [100 * each.low for each in made]
        high = [100 * each.high for each in made]
        (line,) = axes.plot(steps, shares, marker="o", markersize=3, label=f"against {label(bot)}")
        axes.fill_between(steps, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set(xlabel="decisions learned from", ylabel="win share, %", ylim=(0, 100))
    axes.legend(loc="best")
    return figure
