"""The command ``mindup watch``."""

import argparse
from collections.abc import Sequence
from importlib import import_module

_VIEWS = "bots", "replay", "review"


def main(words: Sequence[str]) -> int:
    """Runs ``mindup watch``."""
    parser = argparse.ArgumentParser(
        "mindup watch",
        description="Watch bots play, step through a recorded game, or review its choices.",
    )
    views = parser.add_subparsers(metavar="VIEW", required=True)
    for name in _VIEWS:
        module = import_module(f"mindup_play.watch.{name}")
        view = views.add_parser(name, help=module.__doc__, description=module.__doc__)
        module.configure(view)
    given = parser.parse_args(words)
    status: int = given.run(given)
    return status
