"""The command ``mindup``.

- ``subcommands``: finds the subcommands, and turns errors into messages and an exit status
"""

from mindup_env.cli.subcommands import (
    BROKEN_PIPE,
    COMMANDS,
    INTERRUPTED,
    SYSTEM_ERROR,
    Command,
    add_commands,
    advising,
    exit_status,
    find_commands,
    main,
)

__all__ = [
    "BROKEN_PIPE",
    "COMMANDS",
    "INTERRUPTED",
    "SYSTEM_ERROR",
    "Command",
    "add_commands",
    "advising",
    "exit_status",
    "find_commands",
    "main",
]
