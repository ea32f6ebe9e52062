"""What bots are called where there is little room."""

from collections.abc import Sequence
from pathlib import PurePath

_POLICY, _SUFFIX = "policy:", ".safetensors"


def labels(bots: Sequence[str]) -> list[str]:
    """A trained policy goes by its run; where that would not tell it from another, by its spec."""
    short = [label(bot) for bot in bots]
    unclear = [name for name in short if short.count(name) > 1 or name in bots]
    return [bot if name in unclear else name for bot, name in zip(bots, short, strict=True)]


def label(bot: str) -> str:
    """Itself, if it is no trained policy."""
    if not (bot.startswith(_POLICY) and bot.endswith(_SUFFIX)):
        return bot
    path = PurePath(bot.removeprefix(_POLICY))
    # In the folder of a run the file has the same name in every run.
    return path.parent.name if path.stem == "policy" and path.parent.name else path.stem
