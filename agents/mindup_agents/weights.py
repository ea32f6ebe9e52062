"""The files of trained weights in this package: one for each number of players of a bot."""

from importlib.resources import files
from pathlib import Path

from mindup_env.checks import InputError
from mindup_env.config import GameConfig


def weights_file(bot: str, config: GameConfig) -> Path:
    """The file with which a bot plays a game, such as ``self_play/4_players.onnx``."""
    folder = Path(str(files(__package__))) / bot.replace("-", "_")
    by_players = {each.name.partition("_")[0]: each for each in folder.glob("*_players.*")}
    if str(config.num_players) not in by_players:
        numbers = ", ".join(sorted(by_players))
        raise InputError(f"{bot} plays with {numbers} players, not with {config.num_players}")
    return by_players[str(config.num_players)]
