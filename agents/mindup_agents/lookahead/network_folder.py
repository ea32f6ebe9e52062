"""The folder of the networks of one number of players.

It has ``value.safetensors``, which values positions, ``policy.safetensors``, which plays alone, and
in ``models`` a network for each bot that an opponent may be like.
"""

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from mindup_agents.features.position import PositionFeatures
from mindup_agents.heuristics.formulas import MODELS
from mindup_agents.heuristics.opponent_model import read_prior
from mindup_agents.policy import Policy, load_policy
from mindup_agents.policy.network import Tensors
from mindup_env.config import GameConfig
from mindup_env.settings.plain_file import content_errors_name

PLAYERS = 3, 4, 5, 6
VALUE, POLICY, OPPONENTS = "value.safetensors", "policy.safetensors", "models"


class LookaheadNetworks(NamedTuple):
    """What the bot reads to play with sampled games."""

    models: tuple[str, ...]  # the names of the opponents' models, in the order of their numbers
    prior: tuple[float, ...]  # of each before any play: the same for all that are used
    tensors: list[Tensors]  # the networks: those of the last models, then that of the values


def load_policy_alone(config: GameConfig, folder: str) -> Policy:
    """The policy that plays without sampled games."""
    return load_policy(_networks(config, folder) / POLICY)


def load_networks(config: GameConfig, folder: str, models: str) -> LookaheadNetworks:
    """The networks in a folder, or those of the package if it is not named.

    Args:
        config: the game
        folder: the folder
        models: the models to use, joined by ``+``; all of them if it is empty

    Raises:
        ValueError: a network is missing or damaged, or plays another game, or a model is unknown.
    """
    path = _networks(config, folder)
    files = [*sorted((path / OPPONENTS).glob("*.safetensors")), path / VALUE]
    policies = [load_policy(file) for file in files]
    for file, policy in zip(files, policies, strict=True):
        with content_errors_name(file):
            policy.description.check_plays(config)
        if policy.description.features != PositionFeatures.name:
            raise ValueError(
                f"{file} must read the features {PositionFeatures.name}, not "
                f"{policy.description.features}"
            )
        if policy.description.pad_to_players is not None:
            raise ValueError(f"{file} must read features without padding")
    if len({policy.description.widths for policy in policies}) > 1:
        raise ValueError(f"the networks in {path} must have the same widths")
    names = (*MODELS, *(file.stem for file in files[:-1]))
    if len(set(names)) < len(names):
        raise ValueError(f"the networks in {path / OPPONENTS} must not be called like other models")
    prior = read_prior(models or "+".join(names), names)
    return LookaheadNetworks(names, prior, [policy.tensors for policy in policies])


def _networks(config: GameConfig, folder: str) -> Path:
    if folder:
        return Path(folder)
    if config.num_players not in PLAYERS:
        raise ValueError(
            f"champion-2 plays with {PLAYERS[0]} to {PLAYERS[-1]} players, not with "
            f"{config.num_players}"
        )
    return Path(str(files("mindup_agents.champion_2"))) / f"{config.num_players}_players"
