"""What bots are called where there is little room."""

from collections.abc import Sequence
from pathlib import PurePath

_POLICY, _SUFFIX = "policy:", ".safetensors"


def labels(bots: Sequence[str]) -> list[str]:
    """A trained policy goes by its run; where that would not tell it from another, by its spec."""
    short = [_label(bot) for bot in bots]
    unclear = [label for label in short if short.count(label) > 1 or label in bots]
    return [bot if label in unclear else label for bot, label in zip(bots, short, strict=True)]


def _label(bot: str) -> str:
    if not (bot.startswith(_POLICY) and bot.endswith(_SUFFIX)):
        return bot
    path = PurePath(bot.removeprefix(_POLICY))
    # In the folder of a run the file has the same name in every run.
    return path.parent.name if path.stem == "policy" and path.parent.name else path.stem
