"""Hostile tests run for a given time, and print what repeats a failure.

``make hostile`` runs them; a plain ``pytest`` leaves them out. The time is divided among the tests
that run, equally but for those marked ``hostile(share=...)``. A test is attempted again and again,
each time with other examples of Hypothesis or another ``random``, which the seed, the test and the
number of the attempt determine. A failure names the attempt, and ``--attempt`` repeats it alone.
"""

import os
import secrets
import time

import hypothesis
import numpy as np
import pytest


@pytest.fixture
def random() -> np.random.Generator:
    """Each attempt gets its own instead."""
    return np.random.default_rng()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    """Attempts a test until its time is up, and at least once."""
    options = pyfuncitem.config.option
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    share = _share(pyfuncitem) / sum(map(_share, pyfuncitem.session.items))
    end, number = time.monotonic() + 60 * options.minutes * workers * share, options.attempt or 0
    while True:
        print(f"attempt {number}: --hostile-seed {options.hostile_seed} --attempt {number}")
        source = np.random.default_rng([options.hostile_seed, number, *pyfuncitem.name.encode()])
        if "random" in arguments:
            arguments["random"] = source
        if hasattr(pyfuncitem.obj, "hypothesis"):
            hypothesis.seed(int(source.integers(2**63)))(pyfuncitem.obj)
        pyfuncitem.obj(**arguments)
        number += 1
        if options.attempt is not None or time.monotonic() >= end:
            return True


def _share(item: pytest.Item) -> float:
    marker = item.get_closest_marker("hostile")
    return 1.0 if marker is None else float(marker.kwargs.get("share", 1))


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.hostile)


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
