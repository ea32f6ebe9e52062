"""The pages that show code and commands, and how the tests run each command.

Every command of the pages but the targets of make is in one of these lists. Each is run with
options that make it small, except those that only set up.
"""

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools import ROOT
from tools.tables.pages import PAGES as DOCUMENTATION

PAGES = [
    *DOCUMENTATION,
    *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "notebooks/README.md")),
]

SETTING_UP = {
    "source .venv/bin/activate",
    "pip install '.[cuda]'",
    'pip install --editable ".[render,train]" jupyterlab',
    "jupyter lab notebooks",
    "pip install '.[rllib]' -c constraints-libraries.txt",
    "export RAY_AUTH_MODE=token",
    "ray get-auth-token --generate",
    "ray start --head --port 6379 --num-cpus 1",
    "ray start --address 127.0.0.1:6379 --num-cpus 1",
    "ray stop",
    "pip install '.[arena,llm]'",
    "export OPENAI_API_KEY=KEY",
    "export OPENAI_BASE_URL=http://127.0.0.1:8000/v1",
}

SHORT_TRAINING = "--timesteps 1 --evaluation-deals 1 --threads 1"
RUN = {
    "mindup doctor speed engine": "--players 4 --num-envs 8 --seconds 0.01",
    "mindup doctor speed env": "--num-envs 8 --seconds 0.01",
    "mindup doctor speed train": "--num-envs 8 --seconds 0.01",
    "mindup train --preset quick": SHORT_TRAINING,
    "mindup arena rank --one-vs-field champion-1 predictor planner greedy random"
    " --players 4 --deals 600": "--deals 1",
    "mindup train --preset quick --self-play": SHORT_TRAINING,
    "mindup train --preset mixture": SHORT_TRAINING,
    "mindup train --players 3 4 --objectives 0 2 5": SHORT_TRAINING,
    "mindup train --reward mytraining:Careful:loss=3": SHORT_TRAINING,
    "mindup train --learner mine:Mine --bonus 0.1 --minutes 5": "--timesteps 1"
    " --evaluation-deals 1 --num-envs 8",
    "mindup dataset greedy planner --deals 200 --out DIR": "--deals 2",
    "mindup train --imitate DIR --bots greedy": "--epochs 1 --threads 1",
    "python -m mindup_training.ppo --minutes 5": "--timesteps 1",
    "python -m mindup_training.ppo --critic state --minutes 5": "--timesteps 1 --out runs/mappo",
    "python -m mindup_training.dqn --minutes 5": "--timesteps 1",
    "python -m mindup_training.nfsp --minutes 5": "--timesteps 1",
    "python -m mindup_training.ppo --game 2p-2t --reward win --minutes 5": "--timesteps 1 --out"
    " runs/small",
    "mindup train --game 2p-2t --reward win": SHORT_TRAINING,
    "mindup arena rank random greedy planner predictor --deals 300": "--deals 2",
    "mindup arena rank mybot:Bot greedy random --deals 100": "--deals 2",
    'mindup doctor protocol "python3 lowest.py"': "--players 3 --objectives 0 --games 1",
    'mindup arena rank "process:python3 lowest.py" greedy random --deals 100': "--deals 2",
    'mindup doctor speed bots greedy "process:python3 lowest.py"': "--num-envs 8 --seconds 0.01",
    "mindup train exploit greedy --minutes 10": "--minutes 0.001 --deals 2",
    "mindup watch replay FILE --html game.html": "",
    "mindup watch review FILE --html review.html": "--worlds 8",
    "python examples/studies/interval_coverage.py": "--arenas 2 --deals 20 --json coverage.json",
}

PLAYED = {
    "mindup play",
    "mindup play --players 5 --objectives 2 --seed 7 --opponents greedy,planner --hints predictor",
    "mindup play --record FILE --turn 12",
}
"""These wait for a person. In tests/play a browser plays whole games."""

ELSEWHERE = {
    "mindup watch bots champion-3 champion-1 planner greedy": "play/test_watch.py",
    "mindup watch bots runs/quick-4p-seed0 planner": "play/test_watch.py",
    "mindup train champion --players 4 --workers 2": "training/test_champion.py",
    "mindup doctor": "cuda/test_simulated.py",
    "mindup doctor speed env --device cuda": "cuda/test_simulated.py",
    "mindup doctor speed env --device cuda --players 4 6": "cuda/test_simulated.py",
}
"""What tests, in a file each, do with quick bots, short trainings or no GPU."""

OF_THE_BENCHMARK = [
    "mindup benchmark run mybot:Bot --size small --out mybot-results --json mybot.json",
    "mindup benchmark board mybot.json --html board.html",
]
"""tests/arena/test_benchmark.py runs them with fast rivals, one after the other."""
WITH_A_MODEL = {
    "mindup arena rank llm:MODEL,prices=2.5/10,temperature=0 greedy planner --deals 10 --out DIR"
    " --budget 5": "--deals 1 --rounds 1 --players 2",
}
"""These ask a server of language models; tests/llm plays with a stand-in."""

WITH_LIBRARIES = {
    "mindup train --preset quick --loggers tensorboard wandb:project=mine mlflow": SHORT_TRAINING,
}
"""These have an environment of their own: tests/training/test_logger_libraries.py runs them."""

ON_RAY = {"mindup arena rank greedy planner random --deals 100 --ray auto"}
"""tests/rllib plays on a cluster."""


def blocks(page: Path) -> list[tuple[str, str]]:
    """Language and text of every fenced block."""
    return re.findall(r"```(\w*)\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def run_code(page: Path, *, on_a_gpu: bool = False) -> int:
    """Runs the Python code of a page, and compares what it prints with the block below it.

    Args:
        page: the page.
        on_a_gpu: runs only the code that needs a GPU, instead of all other code.

    Returns:
        The number of outputs compared.
    """
    namespace: dict[str, object] = {}
    printed, compared, runs = "", 0, False
    for language, text in blocks(page):
        if language == "python":
            runs = needs_gpu(text) == on_a_gpu
            if runs:
                output = io.StringIO()
                with contextlib.redirect_stdout(output):
                    exec(text, namespace)  # noqa: S102  # our own pages
                printed = output.getvalue()
        elif language == "text" and runs:
            assert printed == text
            compared += 1
    return compared


def needs_gpu(code: str) -> bool:
    return 'device="cuda"' in code


def commands() -> set[str]:
    lines = [
        line
        for page in PAGES
        for language, text in blocks(page)
        if language == "console"
        for line in text.split("\n")
    ]
    return {line.partition("#")[0].strip() for line in lines if line}


_OWN_MODULES = (
    ("bots", "mybot", "class Bot:"),
    ("protocol", "lowest", "sys.stdin"),
    ("training", "mytraining", "class Careful"),
    ("training", "mine", "class Mine("),
)
"""The page of each module, its name, and what only its code has."""


@contextmanager
def own_modules(folder: Path) -> Iterator[None]:
    """The modules that pages have the code of are files of a folder, and then forgotten."""
    for page, name, mark in _OWN_MODULES:
        (code,) = [text for _, text in blocks(ROOT / "docs" / f"{page}.md") if mark in text]
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    try:
        yield
    finally:
        for _, name, _ in _OWN_MODULES:
            sys.modules.pop(name, None)
