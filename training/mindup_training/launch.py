"""Starts training runs from a preset, resumes them, and ranks their policies."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from mindup_arena import ArenaSettings, draw, print_report, run_arena, write_json
from mindup_arena.ray_cluster import LOCAL, connected
from mindup_env.agent import make_agent
from mindup_training.arguments import read_preset, settings_words
from mindup_training.learner import Learner
from mindup_training.loggers import check_loggers
from mindup_training.run import train
from mindup_training.run_folder import RunFolder, new_run, open_run
from mindup_training.sb3.learner import Sb3Learner
from mindup_training.settings import TrainSettings


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
    for bot in settings.evaluate_against:
        make_agent(bot, settings.configs[0])
    check_loggers(settings.loggers)
    with ExitStack() as lock:
        with _make_learner(settings, address) as learner:
            # The folder comes after the learner: an error above leaves no folder behind.
            words = ["train", "--preset", preset, *settings_words(given)]
            path = out or make_folder(Path(preset).stem, settings)
            folder = lock.enter_context(new_run(path, settings, words))
            train_in(folder, learner)
        return rank_policy(folder)


def resume_run(path: Path, address: str = LOCAL) -> int:
    """Resumes a run from its last checkpoint, bit for bit, and ranks the policy.

    Args:
        path: the folder of the run.
        address: the address of the Ray cluster for RLlib.

    Returns:
        the exit status: 0, or that of forfeits in the ranking.
    """
    with open_run(path) as folder:
        resume_in(folder, address)
        return rank_policy(folder)


def resume_in(folder: RunFolder, address: str = LOCAL) -> None:
    changed = folder.changed_versions()
    if changed:
        print(f"versions changed since the run began ({'; '.join(changed)}): results may differ")
    with _make_learner(folder.settings, address) as learner:
        train_in(folder, learner)


def train_in(folder: RunFolder, learner: Learner) -> None:
    print(f"run folder: {folder.path}; to resume after an interruption: {folder.resume_command}")
    train(folder, learner)
    print(f"policy: {folder.policy}; learning curve: {folder.curve}")


def make_folder(label: str, settings: TrainSettings) -> Path:
    """A new folder in ``runs``; another process that starts the same run gets another."""
    name = f"{label}-{settings.players}p-seed{settings.seed}"
    number = 1
    while True:
        path = Path("runs") / (name if number == 1 else f"{name}-{number}")
        if not path.exists():
            with suppress(FileExistsError):
                path.mkdir(parents=True)
                return path
        number += 1


@contextmanager
def _make_learner(settings: TrainSettings, address: str) -> Iterator[Learner]:
    if settings.rllib is None:
        if address != LOCAL:
            raise ValueError("--address can only be combined with --rllib: add --rllib")
        yield Sb3Learner(settings)
        return
    with connected(address, settings.rllib.env_runners):
        from mindup_training.rllib.learner import RllibLearner  # noqa: PLC0415  # it needs Ray

        learner = RllibLearner(settings)
        try:
            yield learner
        finally:
            learner.stop()


def rank_policy(folder: RunFolder) -> int:
    """Ranks the policy, alone against copies of each bot it was evaluated against.

    Returns:
        the exit status: 0, or that of forfeits.
    """
    settings = folder.settings
    arena = ArenaSettings(
        (f"policy:{folder.policy}", *settings.evaluate_against),
        settings.configs[0],
        deals=settings.evaluation_deals,
        one_vs_field=True,
    )
    print(f"arena: the policy against {' '.join(settings.evaluate_against)}, {arena.deals} deals")
    report = run_arena(arena, workers=max(1, settings.threads))
    print_report(report)
    write_json(folder.path / "arena.json", report)
    draw(folder.path / "arena.png", report)
    return report.exit_status
