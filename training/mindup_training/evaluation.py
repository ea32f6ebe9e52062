"""What a training does at its start, now and then, and at its end: evaluate, save and draw."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import torch
from stable_baselines3.common.callbacks import BaseCallback

from mindup_arena.estimate import COVERAGE
from mindup_arena.match import win_share_against
from mindup_arena.output import csv_text, open_figure, save_figure
from mindup_env.checks import shortened
from mindup_env.config import GameConfig
from mindup_env.files import atomic_write, write_text
from mindup_training.policy_file import NetworkBot, save_policy
from mindup_training.sb3 import NetworkPPO

if TYPE_CHECKING:  # it takes a second to load
    from matplotlib.figure import Figure

POLICY, CHECKPOINT, CURVE = "policy.onnx", "checkpoint.pt", "curve.png"
EVALUATION_SEED = 2**40
"""The seeds of a training are hashes of 64 bits: its deals are others."""
_EXPORT_EVERY = 300
"""Seconds. To write a policy file takes about ten of them."""
_LONGEST_NAME = 40
"""Characters of a bot in the legend: the path of a policy would leave no room for the curves."""


class Evaluation(NamedTuple):
    """A win share against copies of a bot, with its interval: a line of ``evaluations.csv``."""

    timesteps: int
    opponent: str
    win_share: float
    low: float
    high: float


class Evaluations(BaseCallback):
    """Evaluates the network in matches of the arena, and writes the files of the run.

    ``checkpoint.pt`` comes last: a run that goes on from it has the other files as of then.

    Args:
        folder: the folder of the run.
        config: the game.
        bots: those whose copies the network plays against.
        deals: of each bot, each played from every seat.
        number: how many evaluations come after the one at the start.

    Attributes:
        made (list[Evaluation]): the evaluations so far.
    """

    def __init__(
        self, folder: Path, config: GameConfig, bots: Sequence[str], deals: int, number: int
    ) -> None:
        super().__init__()
        self._folder, self._config, self._bots = folder, config, bots
        self._deals, self._number = deals, number
        self.made: list[Evaluation] = []
        self._evaluated_at, self._exported = -1, time.monotonic()

    @property
    def _ppo(self) -> NetworkPPO:
        return cast("NetworkPPO", self.model)

    def restore(self, model: NetworkPPO) -> None:
        """Brings the model and the evaluations to the checkpoint of the folder, if there is one."""
        path = self._folder / CHECKPOINT
        if not path.exists():
            return
        try:
            saved = torch.load(path, weights_only=True)
            model.set_parameters(saved["parameters"])
            self.made = [Evaluation(*each) for each in saved["evaluations"]]
            model.num_timesteps = self._evaluated_at = saved["timesteps"]
            model.games.episode = saved["episode"] - 1  # SB3 resets them, which deals the next
            model.restart(saved["remaining"], saved["seconds"])
            # The random numbers of the start would come again.
            model.set_random_seed((cast("int", model.seed) + model.num_timesteps) % 2**32)
        except Exception as error:  # noqa: BLE001  # of a file that does not fit, many kinds
            raise ValueError(
                f"{path} does not fit this training: {shortened(str(error))}"
            ) from None

    def _on_training_start(self) -> None:
        if self._evaluated_at < 0:
            self._evaluate()
            self._ppo.restart()  # compiling took most of the time so far, and is no training
        self._due_before = self._due()

    def _on_rollout_start(self) -> None:
        if self._due() > self._due_before:
            self._evaluate()
            self._due_before = self._due()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.logger.record("rollout/win_share", self._ppo.games.win_share)

    def _on_training_end(self) -> None:
        if self._evaluated_at < self.model.num_timesteps:
            self._evaluate()
        self.logger.record("time/total_timesteps", self.model.num_timesteps, exclude="tensorboard")
        self.logger.dump(self.model.num_timesteps)
        self._export()

    def _due(self) -> int:
        """How many evaluations are due by now, after the one at the start."""
        return int((1 - self._ppo.remaining) * self._number)

    def _evaluate(self) -> None:
        timesteps, network = self.model.num_timesteps, self._ppo.network
        network.eval()
        texts = []
        for bot in self._bots:
            share = win_share_against(
                NetworkBot(network), bot, self._config, self._deals, EVALUATION_SEED
            )
            self.made.append(Evaluation(timesteps, bot, *share))
            self.logger.record(f"win_share/{bot}", share.value, exclude="csv")
            value, low, high = (100 * part for part in share)
            texts.append(f"{bot} {value:.1f} ({low:.1f} to {high:.1f})")
        done = f"{1 - self._ppo.remaining:4.0%} {timesteps:>11,} decisions"
        print(f"{done}; win share in % against {', '.join(texts) or 'no bot'}", flush=True)
        write_text(self._folder / "evaluations.csv", csv_text([Evaluation._fields, *self.made]))
        save_figure(self._folder / CURVE, draw_curve(self.made, self._config.num_players))
        if time.monotonic() - self._exported > _EXPORT_EVERY:
            self._export()
        self._evaluated_at = timesteps
        self._save()

    def _save(self) -> None:
        ppo = self._ppo
        saved = {
            "parameters": ppo.get_parameters(),
            "evaluations": [tuple(each) for each in self.made],
            "timesteps": ppo.num_timesteps,
            "episode": ppo.games.episode,
            "remaining": ppo.remaining,
            "seconds": ppo.seconds,
        }
        with atomic_write(self._folder / CHECKPOINT) as file:
            torch.save(saved, file)

    def _export(self) -> None:
        about = {"decisions": str(self.model.num_timesteps)}
        save_policy(self._ppo.network, self._config, self._folder / POLICY, about)
        self._exported = time.monotonic()


def draw_curve(evaluations: Sequence[Evaluation], num_players: int) -> "Figure":
    """The win share against each bot over the decisions, with bands for the intervals."""
    figure = open_figure(7, 4.5, f"intervals: {COVERAGE} %, over deals")
    axes: Any = figure.subplots()
    equal = 100 / num_players
    axes.axhline(equal, color="grey", linestyle="--", linewidth=1, label="equal")
    for bot in dict.fromkeys(each.opponent for each in evaluations):
        made = [each for each in evaluations if each.opponent == bot]
        steps = [each.timesteps for each in made]
        label = f"against {shortened(bot, _LONGEST_NAME)}"
        shares = [100 * each.win_share for each in made]
        (line,) = axes.plot(steps, shares, marker="o", markersize=3, label=label)
        low, high = ([100 * each[end] for each in made] for end in (3, 4))
        axes.fill_between(steps, low, high, color=line.get_color(), alpha=0.2, linewidth=0)
    axes.set(xlabel="decisions learned from", ylabel="win share, %", ylim=(0, 100))
    axes.legend(loc="best")
    return figure
