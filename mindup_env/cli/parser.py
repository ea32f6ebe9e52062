"""The parser of a command's arguments, which are read in the same way for all commands."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from mindup_env.settings.checks import closest
from mindup_env.settings.rare_help import RareHelp


class CommandParser(argparse.ArgumentParser):
    """Suggests the option or command that an unknown one is like.

    ``--help-all`` also shows the options that are rarely used. The parsed arguments have the
    attribute ``given``: the words for those that the command line has, by their names.

    Attributes:
        commands: The commands below this one.
        more_help: Makes the end of the help.
    """

    commands: Sequence[str] = ()
    more_help: Callable[[], str] = str  # makes an empty text

    def parse_known_args(self, *arguments: Any, **named: Any) -> Any:
        rare = {each: each.help for each in self._actions if isinstance(each.help, RareHelp)}
        if rare:
            what = "show rarely used options too"
            self.add_argument("--help-all", action=_HelpAll, const=rare, nargs=0, help=what)
        for each in rare:
            each.help = argparse.SUPPRESS
        parsed, unknown = super().parse_known_args(*arguments, **named)
        if unknown:
            shown = [
                each for each in self._actions if each.help is not argparse.SUPPRESS or each in rare
            ]
            options = [name.lstrip("-") for each in shown for name in each.option_strings]
            word = unknown[0].partition("=")[0]
            dashes, known = ("--", options) if word.startswith("-") else ("", self.commands)
            close = closest(word.lstrip("-"), known)
            meant = f"; did you mean {dashes}{close}?" if close else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{meant}")
        parsed.given = {
            each.dest: next(iter(each.option_strings), str(each.metavar))
            for each in self._actions
            if getattr(parsed, each.dest, None) not in (None, [], each.default)
        }
        return parsed, unknown

    def format_help(self) -> str:
        groups = self._action_groups
        self._action_groups = [
            group
            for group in groups
            if any(each.help is not argparse.SUPPRESS for each in group._group_actions)
        ]
        try:
            text = super().format_help()
        finally:
            self._action_groups = groups
        return "\n".join(filter(None, [text, self.more_help()]))


class _HelpAll(argparse.Action):
    """Shows the help with the texts of ``const`` too."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        for action, text in self.const.items():
            action.help = text
        parser.print_help()
        parser.exit()
