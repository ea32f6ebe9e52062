"""``mindup train``: starts and resumes training runs, and ranks their policies."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mindup_arena import ArenaSettings, draw, print_report, run_arena, write_json
from mindup_env.agent import find_code
from mindup_env.runs.processes import LOCAL
from mindup_training.run_folder import RunFolder
from mindup_training.settings.options import command_text
from mindup_training.settings.presets import LEARNER, read_any_preset
from mindup_training.train.command_line import run_of
from mindup_training.train.runs import NewRun, RunOptions, resumed_run, trained_run


def start_run(
    preset: str, given: dict[str, Any], out: Path | None = None, address: str = LOCAL
) -> int:
    """Trains a policy with a preset and ranks it.

    Args:
        preset: the name of a preset, or the path of a TOML file.
        given: settings that override those of the preset, by their names.
        out: the folder of the run; a new one in ``runs`` if None.
        address: the address of the Ray cluster for RLlib; it does not change the result.

    Returns:
        the exit status: 0, or that of forfeits in the ranking.
    """
    chosen = read_any_preset(preset).changed(given)
    settings = chosen.with_threads()
    if settings is not chosen:
        given = {**given, "threads": settings.threads}
    command = command_text(["mindup", "train", "--preset", preset], given, type(settings))
    new = NewRun(out, Path(preset).stem, command)
    with trained_run(settings, new, RunOptions(address=address)) as folder:
        return rank_policy(folder)


def resume_run(path: Path, address: str = LOCAL, timesteps: int | None = None) -> int:
    """Resumes a run from its last checkpoint, bit for bit, and ranks the policy.

    Args:
        path: the folder of the run.
        address: the address of the Ray cluster for RLlib.
        timesteps: a new end for a run that is finished.

    Returns:
        the exit status: 0, or that of forfeits in the ranking.
    """
    with resumed_run(path, timesteps, RunOptions(address=address)) as folder:
        return rank_policy(folder)


def run_named(name: str, words: Sequence[str]) -> int:
    """``mindup train --learner NAME WORDS``: trains a learner and ranks the policy."""
    learner = find_code(LEARNER, name).make
    program = ["mindup", "train", "--learner", name]
    with run_of(learner, name, program, words) as folder:  # type: ignore[arg-type]  # it is checked
        return rank_policy(folder)


def rank_policy(folder: RunFolder) -> int:
    """Ranks the policy, alone against copies of each bot it was evaluated against.

    A policy for several numbers of players is ranked with each of them.

    Returns:
        the exit status: 0, or that of forfeits.
    """
    settings, bots = folder.settings, folder.settings.evaluation_bots
    status = 0
    for players, config in settings.tables.items() if bots else ():
        arena = ArenaSettings(
            (folder.policy_spec, *bots),
            config,
            deals=settings.deals_per_evaluation,
            one_vs_field=True,
        )
        at_table = f" with {players} players" if len(settings.tables) > 1 else ""
        print(f"arena: the policy against {' '.join(bots)}{at_table}, {arena.deals} deals")
        report = run_arena(arena, workers=max(1, settings.threads))
        print_report(report)
        name = f"arena-{players}p" if len(settings.tables) > 1 else "arena"
        write_json(folder.path / f"{name}.json", report)
        draw(folder.path / f"{name}.png", report)
        status = max(status, report.exit_status)
    return status
