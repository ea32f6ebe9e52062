"""Weights & Biases and MLflow log a run, also a resumed one, without any network.

They are in an environment of their own: make libraries.
"""

import inspect
import json
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from mindup_training.loggers.protocol import find_logger
from tests.pages import WITH_LIBRARIES
from tests.training.runs import write_preset
from tools import ROOT

pytestmark = [
    pytest.mark.libraries,
    pytest.mark.filterwarnings("ignore"),  # what the libraries warn of is their business
]

LOGGERS = "wandb", "mlflow"
BOT = "search:simulations=4,models=random"
"""Its name has characters that MLflow does not accept."""
FIGURES = "games/return", f"win_share/{BOT}"


@pytest.fixture
def requests() -> Iterator[tuple[dict[str, str], list[bytes]]]:
    """The environment of a process whose requests come here, and what was requested."""
    for library in LOGGERS:
        pytest.importorskip(library)
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def listen() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    heard.append(connection.recv(1000))

        thread = Thread(target=listen, daemon=True)
        thread.start()
        proxy = f"http://127.0.0.1:{server.getsockname()[1]}"
        proxies = dict.fromkeys(["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"], proxy)
        yield {**os.environ, **proxies}, heard
        server.shutdown(socket.SHUT_RDWR)
        thread.join(10)


def mindup(environment: dict[str, str], folder: Path, *words: str) -> str:
    script = (
        "import sys\n"
        "from mindup_env import cli\n"
        "from mindup_training import launch\n"
        "launch.rank_policy = lambda _: 0\n"
        f"status = cli.main({list(words)})\n"
        "print('loaded:', sorted({'wandb', 'mlflow'} & set(sys.modules)))\n"
        "sys.exit(status)"
    )
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def test_a_resumed_run_is_logged_once(
    requests: tuple[dict[str, str], list[bytes]], tmp_path: Path
) -> None:
    environment, heard = requests
    assert subprocess.run(
        [sys.executable, "-c", "import urllib.request as u; u.urlopen('http://example.org')"],
        env=environment,
        stderr=subprocess.DEVNULL,
        check=False,
    ).returncode
    assert heard.pop().startswith(b"GET"), "a request would be heard"
    changes: dict[str, Any] = {"self_play": None, "evaluate_against": [BOT]}
    write_preset(tmp_path / "preset.json", "sb3", loggers=list(LOGGERS), **changes)
    run = tmp_path / "run"
    mindup(environment, tmp_path, "train", "--preset", "preset.json", "--out", "run")
    (run / "checkpoints" / "000000000600.json").unlink()  # as if it was killed before it
    mindup(environment, tmp_path, "train", "--resume", "run")
    (run / "checkpoints" / "000000000600.json").unlink()
    plain = json.loads((run / "wandb.json").read_text())
    assert set(plain["logged"].values()) == {600}
    # What the first process would have left if it had been killed.
    plain["logged"] = dict.fromkeys(plain["logged"], 450)
    (run / "wandb.json").write_text(json.dumps(plain))
    mindup(environment, tmp_path, "train", "--resume", "run")
    assert not heard
    assert sorted(path.name for path in tmp_path.iterdir()) == ["preset.json", "run"]

    rollouts = [150, 300, 450, 600]
    expected = {FIGURES[0]: rollouts, FIGURES[1]: [0, *rollouts]}
    check_mlflow(run, expected)
    first, nothing, second = wandb_steps(run)
    assert first == expected and nothing == {}
    assert second == {FIGURES[0]: [600], FIGURES[1]: [600]}


def check_mlflow(run: Path, expected: dict[str, list[int]]) -> None:
    from mlflow import MlflowClient  # noqa: PLC0415  # it is not always installed

    client = MlflowClient(f"sqlite:///{run / 'mlflow.db'}")
    run_id = json.loads((run / "mlflow.json").read_text())["run_id"]
    logged = client.get_run(run_id)
    assert logged.info.status == "FINISHED" and logged.info.run_name == "run"
    assert logged.data.params["ppo.num_envs"] == "30" and logged.data.params["players"] == "[3]"
    for figure, steps in expected.items():
        name = figure.replace("=", "_").replace(",", "_")
        history = client.get_metric_history(run_id, name)
        assert sorted(each.step for each in history) == steps
    assert len(client.search_runs([logged.info.experiment_id])) == 1


def wandb_steps(run: Path) -> list[dict[str, list[int]]]:
    """By file of Weights & Biases and by figure, the timesteps at which it was logged."""
    found = []
    for path in sorted(run.glob("wandb/offline-run-*/*.wandb")):
        inspected = subprocess.run(
            [sys.executable, "-m", "wandb", "leet", "inspect", "--json", str(path)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        steps: dict[str, list[int]] = {}
        for line in inspected.splitlines():
            row = json.loads(line).get("history", {}).get("item", {})
            for name in FIGURES:
                if name in row:
                    steps.setdefault(name, []).append(row["timesteps"])
        found.append(steps)
    return found


def test_the_page_has_all_options() -> None:
    page = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    for library in LOGGERS:
        pytest.importorskip(library)
        _run, *options = inspect.signature(find_logger(library).make).parameters.values()
        text = ", ".join(f"`{option.name}={option.default}`" for option in options)
        text = text.replace("False", "false")
        assert f"(extra `[{library}]`) | {text} |" in page


@pytest.mark.parametrize("command", WITH_LIBRARIES)
def test_the_command_of_the_page_works(
    command: str, requests: tuple[dict[str, str], list[bytes]], tmp_path: Path
) -> None:
    environment, heard = requests
    _, *words = shlex.split(f"{command} {WITH_LIBRARIES[command]} --out run")
    mindup(environment, tmp_path, *words)
    assert {"wandb.json", "mlflow.json"} < {path.name for path in (tmp_path / "run").iterdir()}
    assert not heard


def test_neither_library_is_loaded_by_other_runs(
    requests: tuple[dict[str, str], list[bytes]], tmp_path: Path
) -> None:
    environment, heard = requests
    write_preset(tmp_path / "preset.json", "sb3")
    words = ["train", "--preset", "preset.json", "--out", "run", "--timesteps", "1"]
    assert "loaded: []" in mindup(environment, tmp_path, *words)
    assert not heard
