"""Two nodes of a Ray cluster on this machine. Where Ray is missing, these tests are skipped."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import ROOT
from tests.ray.commands import ENVIRONMENT

pytest.importorskip("ray", reason="Ray is not installed; make libraries installs it")


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The address of two nodes with a core each: what takes two workers needs both."""
    script = str(Path(__file__).with_name("two_nodes.py"))
    with subprocess.Popen(
        [sys.executable, script],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as nodes:
        assert nodes.stdin and nodes.stdout
        address = nodes.stdout.readline().strip()
        assert address, "the nodes did not start"
        yield address
        nodes.stdin.close()
