"""The options of commands, as ``--help`` shows them."""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from html import escape

from mindup_arena import command as arena
from mindup_play import command as play
from tools.tables import Row, table


def _options(configure: Callable[[argparse.ArgumentParser], None]) -> Iterator[Row]:
    yield "option", "effect"
    parser = argparse.ArgumentParser(add_help=False)
    configure(parser)
    formatter = argparse.HelpFormatter(parser.prog)
    for action in parser._actions:
        if action.option_strings and action.help is not argparse.SUPPRESS:
            names = formatter._format_action_invocation(action).replace("|", " or ")
            yield f"`{names}`", escape(formatter._expand_help(action), quote=False)


table(partial(_options, arena.configure), "arena_options")
table(partial(_options, play.configure), "play_options")
