"""A run in the process of its own: its training, and the evaluation of its final policy."""

import os
import runpy
import shlex
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from mindup_agents.policy import load_policy
from mindup_arena.match import win_share_against
from mindup_env import GameConfig, cli
from mindup_env.runs.files import lock_folder
from mindup_env.runs.processes import end_with_parent
from mindup_env.runs.run_folder import has_run
from mindup_training import launch
from mindup_training.experiment.folder import ExperimentRun, RunRecord
from mindup_training.experiment.plan import FINAL_SEED, MINDUP, ExperimentSettings
from mindup_training.run_folder import RunFolder
from mindup_training.trainer.evaluation import means
from mindup_training.trainer.learner import prepare_torch
from mindup_training.trainer.runs import trained_run

_PATIENCE = 10  # seconds


def serve_run(run: ExperimentRun, settings: ExperimentSettings) -> None:
    """Runs to the end, from where an earlier process was killed; exits with the run's status."""
    end_with_parent()
    _write_to_log(run.log)
    record = run.read_record()
    if record is None or not record.is_trained:
        resumes = can_be_resumed(run.path)
        status = train(run, resumes=resumes)
        cpu_seconds = None if resumes else round(sum(os.times()[:4]), 2)
        record = RunRecord(status, run.command, cpu_seconds=cpu_seconds)
        if not record.is_trained:
            sys.exit(status)
        run.write_record(record)  # a training that has ended is kept, whatever comes next
    prepare_torch(1)  # the evaluation is the same on every machine
    configs = run.games if run.entry.bot else load_policy(run.paths.policy).description.configs
    players = {config.num_players for config in configs}
    shares = evaluate_bot(run.entry.spec(run.seed, run.path), configs, settings)
    run.write_record(record._replace(win_shares=shares, players=tuple(sorted(players))))
    sys.exit(record.status)


def train(run: ExperimentRun, *, resumes: bool) -> int:
    """Trains, or resumes the training; returns the exit status."""
    print(f"{'resumes' if resumes else 'begins'} {run}: {run.command}", flush=True)
    if resumes:
        return call(shlex.split(RunFolder.open(run.path).resume_command))
    if run.entry.training is None:
        return call(run.entry.words(run.seed, run.path))
    settings = run.entry.training.changed({"seed": run.seed})

    def train_and_rank() -> int:
        with trained_run(settings, run.path, command=run.command) as folder:
            return launch.rank_policy(folder)

    return cli.exit_status(train_and_rank)


def evaluate_bot(
    spec: str, configs: Sequence[GameConfig], settings: ExperimentSettings
) -> dict[str, float]:
    """The win share against each bot: the mean over the games, and that at each number of players.

    Names are those of ``means``.
    """
    found: dict[str, float] = {}
    for bot in settings.evaluate_against:
        shares = [
            win_share_against(spec, bot, config, settings.evaluation_deals, FINAL_SEED)
            for config in configs
        ]
        found |= {name: share.value for name, share in means(bot, configs, shares)}
    return found


def can_be_resumed(path: Path) -> bool:
    """Whether there is a run to resume; removes what a learner left whose runs cannot be."""
    if not path.exists():
        return False
    # The process of a killed experiment ends a moment after it.
    with suppress(ValueError), lock_folder(path, patience=_PATIENCE):
        if not has_run(path):
            shutil.rmtree(path)
    return has_run(path)


def call(words: Sequence[str]) -> int:
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
