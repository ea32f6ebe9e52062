"""The files of trained weights in this package: one for each number of players of a bot."""

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from mindup_env.checks import InputError
from mindup_env.config import GameConfig


def weights_files(bot: str) -> dict[int, Path]:
    """Those of a bot by the number of players, such as ``self_play/4_players.onnx``."""
    folder = Path(str(files(__package__))) / bot.replace("-", "_")
    found = sorted(folder.glob("[0-9]_players.*"))
    return {int(each.name[0]): each for each in found}


def weights_file(bot: str, config: GameConfig) -> Path:
    """The file with which a bot plays a game."""
    by_players = weights_files(bot)
    if config.num_players not in by_players:
        numbers = ", ".join(map(str, by_players))
        raise InputError(f"{bot} plays with {numbers} players, not with {config.num_players}")
    return by_players[config.num_players]


def hash_bots(specs: Mapping[str, str]) -> str:
    """A hash of the specs of bots by name, and of all their weights."""
    weights = [file.read_bytes() for name in specs for file in weights_files(name).values()]
    return hashlib.sha256(b"".join([repr(specs).encode(), *weights])).hexdigest()[:16]
