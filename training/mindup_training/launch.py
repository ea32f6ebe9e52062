"""``mindup train``: starts and resumes training runs, and ranks their policies."""

from pathlib import Path
from typing import Any

from mindup_arena import ArenaSettings, draw, print_report, run_arena, write_json
from mindup_arena.ray_cluster import LOCAL
from mindup_training.arguments import settings_words
from mindup_training.run_folder import RunFolder
from mindup_training.settings.presets import read_preset
from mindup_training.train.runs import RunOptions, resumed_run, trained_run


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
    chosen = read_preset(preset).changed(given)
    settings = chosen.with_threads()
    if settings is not chosen:
        given = {**given, "threads": settings.threads}
    words = ["train", "--preset", preset, *settings_words(given)]
    options = RunOptions(address=address)
    with trained_run(settings, words, out, Path(preset).stem, options) as folder:
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


def rank_policy(folder: RunFolder) -> int:
    """Ranks the policy, alone against copies of each bot it was evaluated against.

    A policy for several numbers of players is ranked with each of them.

    Returns:
        the exit status: 0, or that of forfeits.
    """
    settings = folder.settings
    status = 0
    for players, config in settings.tables.items():
        arena = ArenaSettings(
            (folder.policy_spec, *settings.evaluate_against),
            config,
            deals=settings.evaluation_deals,
            one_vs_field=True,
        )
        opponents = " ".join(settings.evaluate_against)
        at_table = f" with {players} players" if len(settings.tables) > 1 else ""
        print(f"arena: the policy against {opponents}{at_table}, {arena.deals} deals")
        report = run_arena(arena, workers=max(1, settings.threads))
        print_report(report)
        name = f"arena-{players}p" if len(settings.tables) > 1 else "arena"
        write_json(folder.path / f"{name}.json", report)
        draw(folder.path / f"{name}.png", report)
        status = max(status, report.exit_status)
    return status
