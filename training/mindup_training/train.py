"""Train a policy against bots with MaskablePPO, and rank it.

Example: mindup train --preset quick --seed 1
"""

import argparse
import shlex
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
import tyro
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, make_output_format
from torch import nn

from mindup_agents.policy import POLICY_FILE
from mindup_arena import ArenaSettings, draw, print_report, run_arena, write_json
from mindup_env import BatchEnv
from mindup_env.agent import make_agent
from mindup_env.checks import InputError, shown, suggestion
from mindup_env.config import GameConfig
from mindup_env.rewards import Reward
from mindup_training.any_network import check_network
from mindup_training.evaluation import Evaluations
from mindup_training.games import TrainingGames
from mindup_training.network import BiddingNetwork
from mindup_training.policy_file import save_policy
from mindup_training.progress import CURVE
from mindup_training.run import RunOptions, open_run, read_options, resumable
from mindup_training.sb3 import NetworkPPO
from mindup_training.settings import PRESETS, TrainSettings
from mindup_training.torch_setup import prepare_torch

__all__ = ["PRESETS", "TrainSettings", "train"]

_ENDLESS = 10**12
"""Decisions of a training that ends by its minutes alone."""


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
    folder = Path(out)
    config = settings.config()
    for bot in settings.evaluate_against:
        make_agent(bot, config)
    if reward is not None:
        try_reward(reward, config)
    prepare_torch(settings.threads)
    model = make_learner(settings, reward, policy)
    own = [name for name, each in (("reward", reward), ("policy", policy)) if each is not None]
    evaluations = Evaluations(folder, settings)
    open_run(folder, settings, own, resume=resume)
    if resume:
        evaluations.restore(model)
        if model.remaining == 0:
            print("the training is over", flush=True)
    elif policy is not None:
        # ONNX may lack what it does, which is better known now.
        save_policy(model.network, config, folder / POLICY_FILE)
    # SB3 begins each of its files anew.
    suffix = f"-{model.num_timesteps}" if model.num_timesteps else ""
    forms = [make_output_format(form, str(folder), suffix) for form in ("csv", "tensorboard")]
    logger = Logger(str(folder), list(forms))
    model.set_logger(logger)
    callbacks: list[BaseCallback] = [evaluations]
    if callback is not None:
        callbacks.append(callback)
    total = settings.timesteps or _ENDLESS
    with closing(logger):
        left = max(0, total - model.num_timesteps)
        model.learn(left, callbacks, reset_num_timesteps=False)
    return folder


def make_learner(
    settings: TrainSettings,
    reward: Reward | None = None,
    policy: Callable[[GameConfig], nn.Module] | None = None,
) -> NetworkPPO:
    """The learner at the start of a training, with its games."""
    config = settings.config()
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
    return NetworkPPO(games, network, settings)


def try_reward(reward: Reward, config: GameConfig) -> None:
    """Plays a game, so that a reward with a mistake fails before there is a run."""
    env = BatchEnv(config, 1, reward=reward)
    seen, _ = env.reset(seed=0)
    for _ in range(config.num_turns):
        seen, *_ = env.step(seen["action_mask"].argmax(axis=2))


@dataclass
class Options(RunOptions):
    """The options of the command."""

    settings: tyro.conf.OmitArgPrefixes[TrainSettings]
    preset: str = "quick"
    """settings to start from: quick or small"""


def main(words: Sequence[str]) -> int:
    """Runs ``mindup train``."""
    # The preset has the defaults of all other options.
    first = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    first.add_argument("--preset", default="quick")
    preset = first.parse_known_args(words)[0].preset
    if preset not in PRESETS:
        raise InputError(f"unknown preset {shown(preset)}{suggestion(preset, PRESETS)}")
    about = (
        "Train a policy against bots with MaskablePPO, and rank it. There are also mindup train "
        "exploit, champion and distil."
    )
    defaults = Options(replace(PRESETS[preset]), preset)
    given = read_options(words, "mindup train", about, defaults)
    settings = given.settings
    game = settings.game or f"{settings.num_players}p"
    folder = given.folder(f"{preset}-{game}-seed{settings.seed}")
    with resumable("mindup train", folder):
        train(settings, folder, resume=given.resume is not None)
        print(f"policy: {folder / POLICY_FILE}\nlearning curve: {folder / CURVE}", flush=True)
        if settings.evaluate_against:
            rank(folder, settings)
    return 0


def rank(folder: Path, settings: TrainSettings) -> None:
    """Ranks the policy alone against copies of each bot."""
    bots = settings.evaluate_against
    policy = f"policy:{folder / POLICY_FILE}"
    deals = settings.evaluation_deals
    arena = ArenaSettings((policy,), settings.config(), deals=deals, against=bots)
    print(f"arena: the policy against {' '.join(bots)}, {deals} deals", flush=True)
    report = run_arena(arena)
    print_report(report)
    write_json(folder / "arena.json", report)
    draw(folder / "arena.png", report)
    print(f"watch it play: mindup watch bots {shlex.quote(str(folder))} {bots[-1]}")
