"""The ``mindup`` command. Each of its commands is a module, which is imported when it runs.

Such a module has a function ``main(words)`` that reads the rest of the command line and returns
the exit status.
"""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from platform import python_version
from typing import Any, NamedTuple

SYSTEM_ERROR = 1
"""The exit status after an error of the system, such as a full disk."""
INTERRUPTED = 130
"""The exit status after Ctrl-C, as in a shell; also after Ctrl-D at a prompt, or if a bot stops."""
BROKEN_PIPE = 141
"""The exit status after a broken pipe, as in a shell."""


class Command(NamedTuple):
    """A command, and what the help says of it."""

    module: str
    text: str
    example: str


COMMANDS = {
    "play": Command(
        "mindup_play.command",
        "play against bots, in the browser",
        "mindup play --players 5 --opponents greedy planner",
    ),
    "watch": Command(
        "mindup_play.watch",
        "watch bots play, step through a recorded game, or review it",
        "mindup watch bots champion planner greedy",
    ),
    "train": Command(
        "mindup_training.train",
        "train a policy against bots with MaskablePPO, and rank it",
        "mindup train --preset quick --seed 1",
    ),
    "train exploit": Command(
        "mindup_training.exploit",
        "train a policy against copies of a bot, and measure it",
        "mindup train exploit planner --minutes 20",
    ),
    "train champion": Command(
        "mindup_training.champion",
        "make the networks of the bot champion",
        "mindup train champion --players 4 --workers 2",
    ),
    "train distil": Command(
        "mindup_training.distil",
        "teach a policy what search knows of its cards",
        "mindup train distil --players 4 --workers 2",
    ),
    "arena": Command(
        "mindup_arena.run",
        "rank bots with error bars",
        "mindup arena random greedy planner --deals 300",
    ),
    "benchmark": Command(
        "mindup_arena.benchmark",
        "give a bot one score, and show scores on a page",
        "mindup benchmark run mybot:Bot --size small --json mybot.json",
    ),
    "bench": Command(
        "mindup_env.bench",
        "measure the speed of the environments, beside those of others",
        "mindup bench --players 4",
    ),
}


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command with these words, or with those of the process; returns the exit status."""
    if words is None:  # a process of its own, which ends in one line also if the system asks for it
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    return reported(_run, [*(sys.argv[1:] if words is None else words)])


def reported(run: Callable[[list[str]], int], words: list[str]) -> int:
    """Runs what reads a command line, and returns its exit status.

    An error of its input or of the system becomes one line on stderr.
    """
    try:
        status = run(words)
        sys.stdout.flush()
    except (TypeError, ValueError) as error:
        checks = import_module("mindup_env.checks")  # the help works without it
        if not isinstance(error, (checks.InputError, checks.InputTypeError)):
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
        where = "" if error.filename is None else f"{str(error.filename)[-200:]}: "
        print(f"mindup: {where}{error.strerror or error}{_advice(error)}", file=sys.stderr)
        return SYSTEM_ERROR
    return status


def _run(words: list[str]) -> int:
    if words[:1] == ["--version"]:
        libraries = (f"{name} {version(name)}" for name in ("mindup-env", "NumPy", "Numba"))
        print(*libraries, f"Python {python_version()}", sep=", ")
        return 0
    if not words or words[0] in ("-h", "--help"):
        print(help_text())
        return 0 if words else 2
    groups = {each.partition(" ")[0] for each in COMMANDS if " " in each}
    length = 2 if words[0] in groups and words[1:] and not words[1].startswith("-") else 1
    name = " ".join(words[:length])
    if name not in COMMANDS:
        checks = import_module("mindup_env.checks")
        told = f"unknown command {checks.shown(name)}{checks.suggestion(name, COMMANDS)}"
        raise checks.InputError(told)
    module: Any = import_module(COMMANDS[name].module)
    status: int = module.main(words[length:])
    return status


def help_text() -> str:
    """All commands with their examples."""
    lines = ["usage: mindup COMMAND ...", "", "The card game Mind Up!", ""]
    for name, command in COMMANDS.items():
        lines += [f"  {name:<16}{command.text}", f"{'':<18}$ {command.example}"]
    return "\n".join([*lines, "", "mindup COMMAND --help shows its options."])


def _advice(error: BaseException) -> str:
    return "".join(f"; {note}" for note in getattr(error, "__notes__", []))


if __name__ == "__main__":
    sys.exit(main())
