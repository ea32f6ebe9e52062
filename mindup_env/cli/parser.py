"""The parser of a command's arguments, which are read in the same way for all commands."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from mindup_env.settings.checks import closest


class CommandParser(argparse.ArgumentParser):
    """Suggests the option or command that an unknown one is like.

    Attributes:
        commands: The commands below this one.
        more_help: Makes the end of the help.
    """

    commands: Sequence[str] = ()
    more_help: Callable[[], str] = str  # makes an empty text

    def parse_known_args(self, *arguments: Any, **named: Any) -> Any:
        parsed, unknown = super().parse_known_args(*arguments, **named)
        if unknown:
            options = [
                name.lstrip("-") for action in self._actions for name in action.option_strings
            ]
            word = unknown[0].partition("=")[0]
            dashes, known = ("--", options) if word.startswith("-") else ("", self.commands)
            close = closest(word.lstrip("-"), known)
            meant = f"; did you mean {dashes}{close}?" if close else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{meant}")
        return parsed, unknown

    def format_help(self) -> str:
        return "\n".join(filter(None, [super().format_help(), self.more_help()]))
