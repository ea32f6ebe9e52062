"""The commands of ``mindup``, which entry points register, and their help.

An entry point in the group ``mindup.commands`` has the words of its command as a name, joined by
dots: ``arena.rank``. Its module has a function ``configure(parser)``, which adds the arguments and
sets the default ``run``, a function that takes the parsed arguments and returns the exit status; or
a function ``main(words)``, which reads the rest of the command line itself. A module with neither
stands for the commands below it, as ``arena`` does.

The first line of the module's docstring is the help text; the lines ``Example: mindup ...`` and, of
commands of one word, ``Group: measure`` follow it. They are read from the file, so that the help
imports no command.
"""

import ast
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

COMMANDS = "mindup.commands"
GROUPS = "play", "train", "measure", "inspect", ""
"""The groups of commands, in the order of the help; commands of several words have none."""
_INDENT = " " * 14

Words = tuple[str, ...]


class Summary(NamedTuple):
    """What the docstring of a command's module says."""

    text: str
    example: str = ""
    group: str = ""
    runs: bool = False  # or it stands for the commands below it


def find_commands() -> dict[Words, EntryPoint]:
    """All commands by their words."""
    return {tuple(each.name.split(".")): each for each in entry_points(group=COMMANDS)}


def below(words: Words, commands: Iterable[Words]) -> list[str]:
    """The next words of the commands that begin with these words."""
    return sorted(each[-1] for each in commands if each[:-1] == words)


def read_summary(module: str) -> Summary:
    """The summary of a module, without an import of it."""
    package, *names = module.split(".")
    found = find_spec(package)  # of a module in a package, this would import the package
    path = Path(*((found and found.submodule_search_locations) or [])[:1], *names)
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")
    text, *lines = (ast.get_docstring(tree) or "").split("\n")
    about = dict(line.split(": ", 1) for line in lines if line.startswith(("Example: ", "Group: ")))
    functions = {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
    runs = not functions.isdisjoint(("configure", "main"))
    return Summary(text, about.get("Example", ""), about.get("Group", ""), runs)


def help_on(words: Words, about: Summary, commands: Mapping[Words, EntryPoint]) -> str:
    """The end of a command's help: its example, or each command below it with an example."""
    found = [(name, read_summary(commands[*words, name].module)) for name in below(words, commands)]
    found.sort(key=lambda each: GROUPS.index(each[1].group))
    parts = [
        "\n".join([f"{group or 'commands'}:", *_lines(each)])
        for group, each in groupby(found, key=lambda each: each[1].group)
    ]
    return "\n\n".join([f"example: {about.example}"] * about.runs + parts) + "\n"


def _lines(found: Iterable[tuple[str, Summary]]) -> Iterator[str]:
    for name, summary in found:
        yield textwrap.fill(
            summary.text, 80, initial_indent=f"  {name:<12}", subsequent_indent=_INDENT
        )
        yield f"{_INDENT}$ {summary.example}"
