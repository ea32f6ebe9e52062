"""Loads all bots before any test.

Compiled code is cached by the packages that were imported before its own. Kernels of tests would
be among those of bots that are loaded later, and every edit of a test would compile the bots again.
"""

from importlib.metadata import entry_points

from mindup_env.agent import AGENTS

for _entry in entry_points(group=AGENTS):
    _entry.load()
