"""The command ``mindup``.

- ``subcommands``: finds the subcommands, and turns errors into messages and an exit status
"""

from mindup_env.cli.subcommands import (
    BROKEN_PIPE,
    COMMANDS,
    INTERRUPTED,
    SYSTEM_ERROR,
    add_commands,
    advising,
    exit_status,
    main,
)

__all__ = [
    "BROKEN_PIPE",
    "COMMANDS",
    "INTERRUPTED",
    "SYSTEM_ERROR",
    "add_commands",
    "advising",
    "exit_status",
    "main",
]
