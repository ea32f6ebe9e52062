"""The ``mindup`` command. Its subcommands are modules, found by entry point.

A module in the group ``mindup.commands`` has a docstring, whose first line is the help, and
``configure(parser)``, which adds its arguments and sets the default ``run``: a function of the
parsed arguments that returns the exit status.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points, version
from typing import Protocol

COMMANDS = "mindup.commands"
INTERRUPTED = 130
"""The exit status that a shell gives for Ctrl-C; Ctrl-D at a question ends with it too."""
UNREAD = 141
"""The exit status that a shell gives when nobody reads the output."""


class Command(Protocol):
    __doc__: str | None

    def configure(self, parser: argparse.ArgumentParser) -> None: ...


def find_commands(group: str) -> dict[str, Command]:
    found = sorted(entry_points(group=group), key=lambda entry: entry.name)
    return {entry.name: entry.load() for entry in found}


def add_commands(parser: argparse.ArgumentParser, group: str) -> None:
    """Gives ``parser`` a subcommand for each module of an entry-point group."""
    choices = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in find_commands(group).items():
        summary = (command.__doc__ or "").partition("\n")[0]
        command.configure(choices.add_parser(name, help=summary, description=summary))


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="mindup", description="The card game Mind Up!")
    release = f"mindup-env {version('mindup-env')}"
    parser.add_argument("--version", action="version", version=release)
    add_commands(parser, COMMANDS)
    arguments = parser.parse_args(words)
    try:
        status: int = arguments.run(arguments)
        sys.stdout.flush()
    except ValueError as error:
        print(f"mindup: {error}", file=sys.stderr)
        return 2
    except (EOFError, KeyboardInterrupt):
        print("mindup: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Nobody reads on, as after `| head`. What is left unwritten must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    return status
