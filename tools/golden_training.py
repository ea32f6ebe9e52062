"""The golden numbers of training: the settings, and what short trainings compute.

Published win shares depend on all of them, and a training with a mistake often still learns.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from mindup_agents.champion.position import position_shape
from mindup_env import BatchEnv, GameConfig
from mindup_training import champion_fit, champion_games, exploit, ppo
from mindup_training.any_network import empty_state
from mindup_training.champion import ChampionSettings
from mindup_training.distil import DistilSettings
from mindup_training.head import MASKED
from mindup_training.network import BiddingNetwork
from mindup_training.settings import PRESETS
from mindup_training.train import make_learner

SETTINGS: dict[str, Any] = {
    **{f"train {name}": each for name, each in PRESETS.items()},
    "train exploit": exploit.options(["planner"]).settings,
    "train champion": ChampionSettings(),
    "train distil": DistilSettings(),
    "ppo": ppo.Settings(),
}
GAMES = {"2 players": GameConfig(2, 1, num_rounds=2, hand_size=4), "4 players": GameConfig(4)}
LEARNERS = {
    "ppo": ppo.Settings(timesteps=3000, num_envs=8, batch_size=128),
    "ppo of two epochs with a state critic": ppo.Settings(
        3, 2, critic="state", epochs=2, kl_coef=0.1, timesteps=3000, num_envs=8
    ),
}


def settings() -> str:
    """The default of every setting of a training, one in a line."""
    return "".join(
        f"{command}: {name} = {value}\n"
        for command, each in SETTINGS.items()
        for name, value in asdict(each).items()
    )


def numbers() -> dict[str, float]:
    """What short trainings compute, by name; another processor may round them differently."""
    torch.set_num_threads(1)
    return dict(part for each in (_network(), _ppo(), _games(), _champion()) for part in each)


def _network() -> Iterator[tuple[str, float]]:
    """What the first network of a training says after a game of random cards."""
    for game, config in GAMES.items():
        torch.manual_seed(0)
        network = BiddingNetwork(config)
        env = BatchEnv(config, 8)
        rng = np.random.default_rng(0)
        seen, _ = env.reset(seed=0)
        state = empty_state(network, 8 * config.num_players)
        for turn in range(config.num_turns):
            observations, masks = (torch.tensor(each).flatten(0, 1) for each in seen.values())
            with torch.no_grad():
                logits, values, *state = network(observations, masks, *state)
            if turn + 2 in (config.hand_size, config.num_turns):
                models, predicted = state
                about = f"network, {game}, turn {turn + 1}"
                yield f"{about}: deviation of the logits", float(logits[logits > MASKED].std())
                yield f"{about}: deviation of the values", float(values.std())
                yield f"{about}: mean square of the models", _mean_square(models.numpy())
                yield f"{about}: mean square of the predictions", _mean_square(predicted.numpy())
            chosen = rng.random(seen["action_mask"].shape) * seen["action_mask"]
            seen, *_ = env.step(chosen.argmax(axis=2))
        yield f"network, {game}: weights", sum(each.numel() for each in network.parameters())


def _ppo() -> Iterator[tuple[str, float]]:
    """The metrics of the second rollout."""
    for name, each in LEARNERS.items():
        learner = ppo.PPO(each)
        learner.learn()
        metrics: dict[str, float] = learner.learn()
        del metrics["decisions_per_second"]
        yield from ((f"{name}: {metric}", value) for metric, value in metrics.items())


def _games() -> Iterator[tuple[str, float]]:
    """What ``mindup train`` gives a learner that plays its lowest cards.

    The updates have a test by hand: PyTorch samples other cards on some processors.
    """
    games = make_learner(replace(PRESETS["quick"], num_envs=16)).games
    games.reset()
    seen: Any
    observations = []
    rewards = []
    for _ in range(games.config.num_turns):
        games.step_async(games.action_masks().argmax(axis=1))
        seen, gained, *_ = games.step_wait()
        observations.append(seen["observation"])
        rewards.append(gained)
    yield "games: mean square of the observations", _mean_square(observations)
    yield "games: mean square of the rewards", _mean_square(rewards)
    yield "games: win share", games.win_share


def _champion() -> Iterator[tuple[str, float]]:
    """The decisions of games of the recipe, and networks that are fitted to them."""
    config = GameConfig(3, num_rounds=2, hand_size=3)
    with tempfile.TemporaryDirectory() as folder:
        games = champion_games.Games(
            Path(folder),
            config,
            number=40,
            seed=(1, 2),
            alone=("greedy", "lowest"),
            among=("planner",),
            random_cards=0.1,
        )
        champion_games.play([games], workers=1)
        decisions = champion_games.load([games])
    for name, values in decisions._asdict().items():
        yield f"champion, decisions: mean square of {name}", _mean_square(values)
    shape = position_shape(config)
    tensors: Any = None
    for name, loss in {"imitation": champion_fit.IMITATION, "values": champion_fit.VALUES}.items():
        tensors = champion_fit.fit(shape, decisions, loss, epochs=2, seed=0, start=tensors)
        for layer, weights in tensors.items():
            if layer.endswith("weight"):
                square = _mean_square(weights)
                yield f"champion, {name}: mean square of {layer}", square
        decisions = decisions._replace(returns=decisions.best_values)


def _mean_square(values: npt.ArrayLike) -> float:
    return float(np.square(values, dtype=np.float64).mean())
