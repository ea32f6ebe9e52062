"""Short names of bots, for tables and pictures."""

from collections.abc import Sequence
from pathlib import PurePath


def labels(bots: Sequence[str]) -> list[str]:
    """The labels of bots; a bot whose label is not unique keeps its full name."""
    short = [label(bot) for bot in bots]
    return [bot if short.count(name) > 1 else name for bot, name in zip(bots, short, strict=True)]


def label(bot: str) -> str:
    """The name of its run for a trained policy; the same name for any other bot."""
    if not (bot.startswith("policy:") and bot.endswith(".onnx")):
        return bot
    path = PurePath(bot.removeprefix("policy:"))
    # The file has the same name in the folder of every run.
    return path.parent.name if path.stem == "policy" and path.parent.name else path.stem


def numbered(names: Sequence[str]) -> list[str]:
    """The names, with numbers after those that occur more than once."""
    return [
        name if names.count(name) == 1 else f"{name} {names[: index + 1].count(name)}"
        for index, name in enumerate(names)
    ]
