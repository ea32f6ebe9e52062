"""The ``mindup`` command.

- ``commands``: the commands that entry points register, and what the help says of them
- ``parser``: the arguments of a command
"""

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

from mindup_env.cli.commands import Summary, Words, below, find_commands, help_on, read_summary
from mindup_env.cli.parser import CommandParser
from mindup_env.settings.checks import suggestion

SYSTEM_ERROR = 1
"""The exit status after an error of the system, such as a full disk."""
INTERRUPTED = 130
"""The exit status after Ctrl-C, as in a shell; also after Ctrl-D at a prompt, or if a bot stops."""
BROKEN_PIPE = 141
"""The exit status after a broken pipe, as in a shell."""


def parse_command(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Reads these arguments, or those of the process; ``run`` of the result runs the command.

    Only the module of this command is imported.
    """
    rest = [*(sys.argv[1:] if arguments is None else arguments)]
    commands, words = find_commands(), Words()
    while rest and (*words, rest[0]) in commands:
        words = *words, rest.pop(0)
    about = read_summary(commands[words].module) if words else Summary("The card game Mind Up!")
    inner, program = below(words, commands), " ".join(["mindup", *words])
    parser = CommandParser(
        prog=program,
        usage=None if about.runs else f"{program} [-h] COMMAND ...",
        description=about.text,
    )
    parser.commands, parser.more_help = inner, partial(help_on, words, about, commands)
    if not words:
        release = f"mindup-env {version('mindup-env')}"
        parser.add_argument("--version", action="version", version=release)
    if about.runs:
        module: Any = commands[words].load()
        if hasattr(module, "main"):
            return argparse.Namespace(run=lambda _: module.main(rest))
        module.configure(parser)
    else:
        unknown = partial(_refuse, inner)
        parser.add_argument("command", metavar="COMMAND", type=unknown, help=argparse.SUPPRESS)
    return parser.parse_args(rest)


def _refuse(commands: Sequence[str], name: str) -> None:
    raise argparse.ArgumentTypeError(f"unknown command {name!r}{suggestion(name, commands)}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command with these arguments, or with those of the process; the exit status.

    An error of its input or of the system becomes one line on stderr.
    """
    try:
        parsed = parse_command(arguments)
        status: int = parsed.run(parsed)
        sys.stdout.flush()
    except ValueError as error:
        if not _is_refusal(error):
            raise
        print(f"mindup: {error}", file=sys.stderr)
        return 2
    except (EOFError, KeyboardInterrupt) as error:
        print(f"mindup: interrupted{_advice(error)}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader is gone, as after `| head`. The rest of the output must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except OSError as error:
        print(f"mindup: {_system_error(error)}{_advice(error)}", file=sys.stderr)
        return SYSTEM_ERROR
    return status


def _is_refusal(error: ValueError) -> bool:
    """Whether this project raised it: an input is wrong.

    Any other has its cause in code, such as a bot of the user's, and its traceback says where.
    """
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return str(frame.f_globals["__name__"]).startswith("mindup_")


def _system_error(error: OSError) -> str:
    if error.filename is None or error.strerror is None:
        return str(error)
    return f"{error.filename}: {error.strerror}"


def _advice(error: BaseException) -> str:
    return "".join(f"; {note}" for note in getattr(error, "__notes__", []))
