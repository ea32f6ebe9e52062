"""The files of the champion's networks: a folder for each number of players in its package.

A folder has ``value.safetensors``, which values positions, and in ``models`` a network for each bot
that an opponent may be like.
"""

from importlib.resources import files
from pathlib import Path

from mindup_agents.features.position import PositionFeatures
from mindup_agents.heuristics.formulas import MODELS
from mindup_agents.heuristics.opponent_model import read_prior
from mindup_agents.policy import load_policy
from mindup_agents.policy.network import Tensors
from mindup_env.config import GameConfig
from mindup_env.settings.plain_file import content_errors_name

VALUE, OPPONENTS = "value.safetensors", "models"


def network_folder(config: GameConfig) -> Path:
    """The networks of the package for a game."""
    folder = Path(str(files(__package__)))
    found = sorted(folder.glob("*_players"))
    path = folder / f"{config.num_players}_players"
    if path not in found:
        numbers = ", ".join(each.name.removesuffix("_players") for each in found)
        raise ValueError(f"champion plays with {numbers} players, not with {config.num_players}")
    return path


def load_networks(
    config: GameConfig, path: Path, models: str
) -> tuple[tuple[float, ...], list[Tensors]]:
    """The prior of the opponents' models, and the networks: of the last models, and of the values.

    The prior is the probability of each model before any play, the same for all that are used.

    Args:
        config: the game.
        path: the folder.
        models: the models to use, joined by ``+``; all of them if it is empty.

    Raises:
        ValueError: a network is missing or damaged, or plays another game, or a model is unknown.
    """
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
    if len({policy.description.widths for policy in policies}) > 1:
        raise ValueError(f"the networks in {path} must have the same widths")
    names = (*MODELS, *(file.stem for file in files[:-1]))
    if len(set(names)) < len(names):
        raise ValueError(f"the networks in {path / OPPONENTS} must not be called like other models")
    prior = read_prior(models or "+".join(names), names)
    return prior, [policy.tensors for policy in policies]
