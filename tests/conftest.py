"""Loads all bots before any test, and compiles what most tests call before the workers start.

Compiled code is cached by the packages that were imported before its own. Kernels of tests would
be among those of bots that are loaded later, and every edit of a test would compile the bots again.
"""

from importlib.metadata import entry_points

import hypothesis
import pytest

from mindup_env.agent import AGENTS
from tests.compile_once import compile_once

for _entry in entry_points(group=AGENTS):
    _entry.load()

# Every run tries the same examples, and none fails because the machine is busy.
hypothesis.settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("suite")


def pytest_configure(config: pytest.Config) -> None:
    is_worker = hasattr(config, "workerinput")
    if config.getoption("numprocesses", None) and not is_worker:
        compile_once()
