"""A run in the process of its own: its command, and the evaluation of its final policy."""

import os
import runpy
import shlex
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import fmean
from threading import Thread

from mindup_agents.policy import Policy, PolicyAgent, load_policy
from mindup_arena.match import win_share_against
from mindup_arena.worker_process import end_with_parent
from mindup_env import cli
from mindup_env.runs.folder_lock import lock_folder
from mindup_training.experiment.entry import MINDUP
from mindup_training.experiment.folder import DONE, ExperimentRun
from mindup_training.experiment.settings import FINAL_SEED, ExperimentSettings
from mindup_training.run_folder import RunFolder
from mindup_training.train.evaluation import at_players, split_by_players

_TRIES, _PAUSE = 100, 0.1  # seconds


def serve_run(run: ExperimentRun, settings: ExperimentSettings) -> None:
    """Runs to the end, from where an earlier process was killed; exits with the run's status."""
    Thread(target=end_with_parent, daemon=True).start()
    _write_to_log(run.log)
    words = _words_from_here(run)
    print(f"$ {shlex.join(words)}")
    status = _call(words)
    cpu_seconds = _cpu_seconds() if words == run.words else None  # the rest is not known
    if status in DONE:
        from mindup_training.train.learner import limit_threads  # noqa: PLC0415  # PyTorch loads slowly

        limit_threads(1)  # the evaluation is the same on every machine
        policy = load_policy(run.paths.policy)
        shares = evaluate_policy(policy, settings)
        run.record(status, shares, _players(policy), cpu_seconds)
    sys.exit(status)


def _cpu_seconds() -> float:
    """CPU time of this process and of its children that ended, since their start."""
    return round(sum(os.times()[:4]), 2)


def evaluate_policy(policy: Policy, settings: ExperimentSettings) -> dict[str, float]:
    """The win share against each bot: the mean over the games that the policy plays.

    If it plays with several numbers of players, also that at each of them, see ``at_players``.
    """
    configs, deals = policy.description.configs, settings.evaluation_deals
    found = {}
    for bot in settings.evaluate_against:
        shares = [
            win_share_against(PolicyAgent.of(policy, config), bot, config, deals, FINAL_SEED).value
            for config in configs
        ]
        found[bot] = fmean(shares)
        for players, parts in split_by_players(configs, shares).items():
            found[at_players(bot, players)] = fmean(parts)
    return found


def _players(policy: Policy) -> tuple[int, ...]:
    return tuple(sorted({config.num_players for config in policy.description.configs}))


def _words_from_here(run: ExperimentRun) -> Sequence[str]:
    """The command that resumes the run, or the one that starts it (again)."""
    if not run.path.exists():
        return run.words
    _wait_until_unused(run.path)
    if (run.path / "run.json").exists():
        return shlex.split(RunFolder.open(run.path).resume_command)
    with lock_folder(run.path):
        shutil.rmtree(run.path)  # a learner whose runs cannot be resumed
    return run.words


def _wait_until_unused(path: Path) -> None:
    """The process of a killed experiment ends a moment after it."""
    for _ in range(_TRIES):
        with suppress(ValueError), lock_folder(path):
            return
        time.sleep(_PAUSE)


def _call(words: Sequence[str]) -> int:
    """Runs a command in this process, as if it had been started by itself."""
    program, *arguments = words
    try:
        if program == MINDUP:
            return cli.main(arguments)
        if arguments[0] == "-m":
            sys.path.insert(0, "")
            sys.argv = arguments[1:]
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, str(Path(arguments[0]).parent))
            sys.argv = arguments
            runpy.run_path(arguments[0], run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return end.code or 0
    return 0


def _write_to_log(path: Path) -> None:
    """Sends all that this process and its children print to a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    log = path.open("a", encoding="utf-8", buffering=1)
    for descriptor in (1, 2):
        os.dup2(log.fileno(), descriptor)
    sys.stdout = sys.stderr = log
