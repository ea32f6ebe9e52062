"""Train a policy against bots with MaskablePPO, and rank it.

Example: mindup train --preset quick --seed 1
"""

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
import tyro
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, make_output_format
from stable_baselines3.common.utils import LinearSchedule
from torch import nn

from mindup_arena import ArenaSettings, draw, print_report, run_arena, write_json
from mindup_env.agent import make_agent
from mindup_env.checks import check_int, suggestion
from mindup_env.config import GameConfig, game_of
from mindup_env.rewards import Reward
from mindup_training.evaluation import CURVE, POLICY, Evaluations
from mindup_training.games import TrainingGames
from mindup_training.network import BiddingNetwork
from mindup_training.policy_file import save_policy
from mindup_training.run import begin_run, read_run, saying_how_to_resume, unused_folder
from mindup_training.sb3 import NetworkPPO, check_network
from mindup_training.torch_setup import prepare_torch, usable_cores


@dataclass
class TrainSettings:
    """The settings of a training."""

    players: int = 4
    """number of players"""
    objectives: int = 0
    """number of objectives shown together"""
    game: str | None = None
    """a small game instead, such as 2p-2t"""
    opponents: tuple[str, ...] = ("1:random", "1:greedy", "1:planner")
    """bots to train against, each with an optional weight; drawn for each seat of each game"""
    reward: str = "0.1*margin+win"
    """sum of score, margin and win with weights"""
    models: int = 3
    """models of an opponent; the network remembers which of them fits each opponent"""
    widths: tuple[int, int, int] = (128, 64, 64)
    """widths of the layers that read the table, each card, and the value"""
    timesteps: int = 250_000
    """decisions to learn from"""
    minutes: float = 0.0
    """minutes to train for, instead of --timesteps if above 0"""
    num_envs: int = 128
    """games played in parallel"""
    batch_size: int = 512
    """decisions in a minibatch"""
    epochs: int = 1
    """passes over a rollout, which is one game in each environment"""
    learning_rate: float = 4e-3
    """initial learning rate, which decreases linearly to 0"""
    gamma: float = 1.0
    """discount factor"""
    gae_lambda: float = 0.6
    """lambda of the advantage estimates; low, because later turns add much noise"""
    clip_range: float = 0.2
    """clip range of the probability ratio"""
    ent_coef: float = 0.02
    """weight of the entropy bonus"""
    vf_coef: float = 0.5
    """weight of the value loss"""
    aux_coef: float = 0.5
    """weight of the loss of the predicted cards"""
    max_grad_norm: float = 0.5
    """largest norm of a gradient"""
    evaluate_against: tuple[str, ...] = ("random", "greedy", "planner")
    """bots to evaluate the policy against, and to rank it with"""
    evaluations: int = 25
    """evaluations after the one at the start, each with a checkpoint"""
    evaluation_deals: int = 100
    """deals per bot in an evaluation, each played from every seat"""
    seed: int = 0
    """random seed"""
    threads: int = 0
    """threads of PyTorch, and processes of the ranking at the end; 0 for one per core; sums differ
    slightly with another number of threads"""

    def config(self) -> GameConfig:
        return game_of(self.players, self.objectives, self.game)

    def check(self) -> None:
        """Refuses settings that cannot be trained with."""
        for name, value in asdict(self).items():
            if isinstance(value, float) and not 0 <= value < math.inf:
                raise ValueError(f"{name} must be a finite number of at least 0, not {value}")
        for name in ("learning_rate", "max_grad_norm"):
            if getattr(self, name) == 0:
                raise ValueError(f"{name} must be above 0: nothing is learned otherwise")
        for name in ("gamma", "gae_lambda"):
            if getattr(self, name) > 1:
                raise ValueError(f"{name} must be at most 1, not {getattr(self, name)}")
        for name in ("models", "timesteps", "num_envs", "batch_size", "epochs", "evaluations"):
            check_int(name, getattr(self, name), 1)
        for width in self.widths:
            check_int("a width", width, 1)
        check_int("evaluation_deals", self.evaluation_deals, 2)  # an interval needs two
        check_int("seed", self.seed, 0, 2**32 - 1)
        check_int("threads", self.threads, 0)
        self._check_bots_and_batch()

    def _check_bots_and_batch(self) -> None:
        if not self.opponents:
            raise ValueError("opponents must name at least one bot")
        if len({*self.evaluate_against}) < len(self.evaluate_against):
            raise ValueError("evaluate_against must name each bot once")
        rollout = self.num_envs * self.config().num_turns
        if 1 in (self.batch_size, rollout % self.batch_size):  # its advantage has no deviation
            raise ValueError(
                f"batch_size must not leave a minibatch of a single decision: a rollout has "
                f"{rollout} decisions, in minibatches of {self.batch_size}"
            )


PRESETS = {
    "quick": TrainSettings(),
    "small": TrainSettings(
        game="2p-2t",
        opponents=("random",),
        reward="win",
        widths=(32, 32, 32),
        timesteps=50_000,
        num_envs=64,
        evaluate_against=("random", "greedy"),
    ),
}
_ENDLESS = 10**12
"""Decisions of a training that ends by its minutes."""


def train(
    settings: TrainSettings,
    out: Path | str,
    *,
    reward: Reward | None = None,
    policy: Callable[[GameConfig], nn.Module] | None = None,
    callback: BaseCallback | None = None,
    resume: bool = False,
) -> Path:
    """Trains a policy.

    Args:
        settings: the settings; ``PRESETS`` has some by name.
        out: the folder of the run, a new one.
        reward: a reward of your own instead of that of the settings, see ``BatchEnv``.
        policy: makes a network of your own from the config, see ``mindup_training.network``.
        callback: a callback of Stable-Baselines3.
        resume: whether to go on from the last checkpoint in the folder.

    Returns:
        The folder. Its name is that of a bot: ``make_agent(str(folder))`` plays the policy.

    Raises:
        ValueError: if the settings cannot be trained with, or the folder cannot be used.
    """
    settings.check()
    config, folder = settings.config(), Path(out)
    for bot in settings.evaluate_against:
        make_agent(bot, config)
    prepare_torch(settings.threads)
    torch.manual_seed(settings.seed)  # for the first weights
    bidding = partial(BiddingNetwork, models=settings.models, widths=settings.widths)
    network: Any = (policy or bidding)(config)
    check_network(network, config)
    games = TrainingGames(
        config,
        settings.num_envs,
        settings.opponents,
        reward or settings.reward,
        settings.seed,
        network.state_shapes,
    )
    model = NetworkPPO(
        games,
        network,
        aux_coef=settings.aux_coef,
        minutes=settings.minutes,
        learning_rate=LinearSchedule(settings.learning_rate, 0.0, 1.0),
        batch_size=settings.batch_size,
        n_epochs=settings.epochs,
        gamma=settings.gamma,
        gae_lambda=settings.gae_lambda,
        clip_range=settings.clip_range,
        ent_coef=settings.ent_coef,
        vf_coef=settings.vf_coef,
        max_grad_norm=settings.max_grad_norm,
        seed=settings.seed,
    )
    given = {"reward": reward, "policy": policy}
    own = [name for name, each in given.items() if each is not None]
    evaluations = Evaluations(
        folder,
        config,
        settings.evaluate_against,
        settings.evaluation_deals,
        settings.evaluations,
    )
    if resume:
        check_same_run(folder, settings, own)
        evaluations.restore(model)
    else:
        begin_run(folder, settings, own)
        if policy is not None:  # ONNX may lack what it does; to know it at the end would be late
            save_policy(network, config, folder / POLICY, {})
    # SB3 begins each of its files anew.
    suffix = f"-{model.num_timesteps}" if model.num_timesteps else ""
    forms = [make_output_format(form, str(folder), suffix) for form in ("csv", "tensorboard")]
    logger = Logger(str(folder), list(forms))
    model.set_logger(logger)
    total = _ENDLESS if settings.minutes else settings.timesteps
    with closing(logger):
        model.learn(
            max(0, total - model.num_timesteps),
            [evaluations, *([] if callback is None else [callback])],
            reset_num_timesteps=False,
            progress_bar=not settings.minutes and sys.stderr.isatty(),
        )
    return folder


def check_same_run(folder: Path, settings: TrainSettings, own: list[str]) -> None:
    """Refuses to go on with another run."""
    found, of_run = read_run(folder, TrainSettings)
    if found != settings:
        raise ValueError(f"the run in {folder} has other settings; read_run has them")
    if of_run != own:
        first, second = (" and ".join(each) or "nothing" for each in (of_run, own))
        raise ValueError(
            f"the run in {folder} was given {first} of its own by Python code, not {second}: go on "
            "by train(..., resume=True) with the same arguments"
        )


@dataclass
class Options:
    """The options of the command."""

    settings: tyro.conf.OmitArgPrefixes[TrainSettings]
    preset: str = "quick"
    """settings to start from: quick or small"""
    out: Path | None = None
    """folder of the run; by default a new one in runs/"""
    resume: Path | None = None
    """go on from the last checkpoint of the run in a folder, with its settings"""


def main(words: Sequence[str]) -> int:
    """Runs ``mindup train``."""
    # The preset has the defaults of all other options.
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    first.add_argument("--preset", default="quick")
    preset = first.parse_known_args(words)[0].preset
    if preset not in PRESETS:
        raise ValueError(f"unknown preset {preset!r}{suggestion(preset, PRESETS)}")
    defaults = Options(PRESETS[preset], preset)
    about = (
        "Train a policy against bots with MaskablePPO, and rank it. There are also mindup train "
        "exploit and mindup train champion."
    )
    given = tyro.cli(Options, prog="mindup train", description=about, args=words, default=defaults)
    settings, folder = given.settings, given.out
    if given.resume is not None:
        if given != Options(PRESETS["quick"], resume=given.resume):
            raise ValueError(
                "--resume cannot be combined with other options: a run keeps its settings"
            )
        (settings, _), folder = read_run(given.resume, TrainSettings), given.resume
    elif folder is None:
        folder = unused_folder(f"{preset}-{settings.config().num_players}p-seed{settings.seed}")
    print(f"run folder: {folder}", flush=True)
    with saying_how_to_resume("mindup train", folder):
        train(settings, folder, resume=given.resume is not None)
        print(f"policy: {folder / POLICY}; learning curve: {folder / CURVE}", flush=True)
        return rank(folder, settings)


def rank(folder: Path, settings: TrainSettings) -> int:
    """Ranks the policy, alone against copies of each bot it was evaluated against."""
    bots = settings.evaluate_against
    if not bots:
        return 0
    deals, bot = settings.evaluation_deals, f"policy:{folder / POLICY}"
    arena = ArenaSettings((bot,), settings.config(), deals=deals, against=bots)
    print(f"arena: the policy against {' '.join(bots)}, {deals} deals", flush=True)
    report = run_arena(arena, workers=settings.threads or usable_cores())
    print_report(report)
    write_json(folder / "arena.json", report)
    draw(folder / "arena.png", report)
    print(f"watch it play: mindup watch bots {folder} {bots[-1]}")
    return 0
