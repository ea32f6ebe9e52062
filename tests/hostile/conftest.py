"""Hostile tests run for a given time, and print the seed that repeats them.

``make hostile`` runs them; a plain ``pytest`` leaves them out. The time is divided among the tests
that run, equally but for those marked ``hostile(share=...)``. An attempt is one step of a test,
with random numbers of its own: a failure names the attempt, and ``--attempt`` repeats it alone.
"""

import os
import secrets
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

_INPUTS = "hostile inputs"


class Attempts:
    """Generators for the attempts of one test, until its time is up.

    Attributes:
        inputs: the number of inputs so far; a test adds what it has tried.
    """

    def __init__(self, seed: int, test: str, seconds: float, only: int | None) -> None:
        self.inputs = 0
        self._seed, self._test, self._seconds, self._only = seed, test, seconds, only

    def __iter__(self) -> Iterator[np.random.Generator]:
        """At least one generator: ``for random in attempts`` tries something at any speed."""
        end, number = time.monotonic() + self._seconds, self._only or 0
        while True:
            print(f"attempt {number}: --hostile-seed {self._seed} --attempt {number}")
            yield np.random.default_rng([self._seed, number, *self._test.encode()])
            number += 1
            if self._only is not None or time.monotonic() >= end:
                return


@pytest.fixture
def attempts(
    request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> Iterator[Attempts]:
    options = request.config.option
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    share = _share(request.node) / sum(map(_share, request.session.items))
    seconds = 60 * options.minutes * workers * share
    found = Attempts(options.hostile_seed, request.node.name, seconds, options.attempt)
    yield found
    record_property(_INPUTS, found.inputs)


def _share(item: pytest.Item) -> float:
    marker = item.get_closest_marker("hostile")
    return 1.0 if marker is None else float(marker.kwargs.get("share", 1))


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("hostile tests")
    group.addoption("--minutes", type=float, default=0.0, help="minutes for all hostile tests")
    group.addoption("--hostile-seed", type=int, help="their seed (default: a random one)")
    group.addoption("--attempt", type=int, help="the only attempt to run")


def pytest_configure(config: pytest.Config) -> None:
    # A run of other tests has no such option. The workers of pytest-xdist get that of the main
    # process, with its seed.
    if config.getoption("hostile_seed", 0) is None:
        config.option.hostile_seed = secrets.randbelow(10**6)


def pytest_report_header(config: pytest.Config) -> str:
    options = config.option
    return f"hostile tests: --minutes {options.minutes} --hostile-seed {options.hostile_seed}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    inputs = [
        (report.nodeid.rpartition("/")[2], dict(report.user_properties)[_INPUTS])
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "teardown" and _INPUTS in dict(report.user_properties)
    ]
    if not inputs:
        return
    terminalreporter.section(f"{sum(number for _, number in inputs):,} hostile inputs")
    for test, number in sorted(inputs):
        terminalreporter.write_line(f"{number:>12,}  {test}")
