"""The ``mindup`` command. Its subcommands are modules that entry points register.

A module in the group ``mindup.commands`` has a docstring, whose first line is the help text, and a
function ``configure(parser)``. This adds the arguments and sets the default ``run``, a function
that takes the parsed arguments and returns the exit status. Only the module of the command that
runs is imported; the help texts of the others are read from their files.
"""

import argparse
import ast
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import EntryPoint, entry_points, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mindup_env.agent import StopRunError
from mindup_env.settings.checks import closest

COMMANDS = "mindup.commands"
SYSTEM_ERROR = 1
"""The exit status after an error of the system, such as a full disk."""
INTERRUPTED = 130
"""The exit status after Ctrl-C, as in a shell; also after Ctrl-D at a prompt, or if a bot stops."""
BROKEN_PIPE = 141
"""The exit status after a broken pipe, as in a shell."""


class CommandParser(argparse.ArgumentParser):
    """Suggests the option that an unknown one is like.

    It imports its command, if it has one, when it parses the arguments of this command.
    """

    def __init__(self, *, command: EntryPoint | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._command = command

    def parse_known_args(self, *arguments: Any, **named: Any) -> Any:
        command, self._command = self._command, None
        if command is not None:
            command.load().configure(self)
        parsed, unknown = super().parse_known_args(*arguments, **named)
        if unknown:
            shown = [each for each in self._actions if each.help is not argparse.SUPPRESS]
            options = [name.lstrip("-") for each in shown for name in each.option_strings]
            close = closest(unknown[0].partition("=")[0].lstrip("-"), options)
            meant = f"; did you mean --{close}?" if close else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{meant}")
        return parsed, unknown


def add_commands(parser: argparse.ArgumentParser, group: str) -> None:
    """Adds a subcommand to ``parser`` for each module of an entry-point group."""
    choices = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=CommandParser)
    for command in sorted(entry_points(group=group), key=lambda each: each.name):
        summary = read_summary(command.module)
        choices.add_parser(command.name, help=summary, description=summary, command=command)


def read_summary(module: str) -> str:
    """The first line of a module's docstring, without an import of the module."""
    package, *names = module.split(".")
    found = find_spec(package)  # of a module in a package, this would import the package
    folders = (found and found.submodule_search_locations) or []
    path = Path(*folders[:1], *names).with_suffix(".py")
    text = path.read_text(encoding="utf-8") if folders and path.is_file() else ""
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]


def parse_command(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Reads these arguments, or those of the process; ``run`` of the result runs the command."""
    parser = CommandParser(prog="mindup", description="The card game Mind Up!")
    release = f"mindup-env {version('mindup-env')}"
    parser.add_argument("--version", action="version", version=release)
    add_commands(parser, COMMANDS)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command with these arguments, or with those of the process; the exit status."""
    parsed = parse_command(arguments)
    return exit_status(partial(parsed.run, parsed))


def exit_status(run: Callable[[], int]) -> int:
    """Runs a command; an error of its input or of the system becomes one line on stderr."""
    try:
        status = run()
        sys.stdout.flush()
    except ValueError as error:
        print(f"mindup: {error}", file=sys.stderr)
        return 2
    except (EOFError, KeyboardInterrupt) as error:
        print(f"mindup: interrupted{_advice(error)}", file=sys.stderr)
        return INTERRUPTED
    except StopRunError as error:
        print(f"mindup: stopped: {error}{_advice(error)}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader is gone, as after `| head`. The rest of the output must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except OSError as error:
        print(f"mindup: {_system_error(error)}{_advice(error)}", file=sys.stderr)
        return SYSTEM_ERROR
    return status


@contextmanager
def advising(advice: Callable[[], str]) -> Iterator[None]:
    """Adds how to go on, such as a command, to interrupts and to errors of the system."""
    try:
        yield
    except (EOFError, KeyboardInterrupt, OSError, StopRunError) as error:
        error.add_note(advice())
        raise


def _system_error(error: OSError) -> str:
    if error.filename is None or error.strerror is None:
        return str(error)
    return f"{error.filename}: {error.strerror}"


def _advice(error: BaseException) -> str:
    return "".join(f"; {note}" for note in getattr(error, "__notes__", []))
