"""A tiny preset, experiments with it, and trainings that only pretend to learn."""

from pathlib import Path

from mindup_agents.policy import save_policy
from mindup_arena.estimate import Estimate
from mindup_env import GameConfig, cli
from mindup_training.experiment.folder import ExperimentRun
from mindup_training.loggers import LoggedRun
from mindup_training.loggers.csv_files import CsvLogger
from mindup_training.trainer.evaluation import at_players
from tests.training.policies import padded_policy, random_policy

PRESET = """
players = 3
opponents = ["random"]
widths = [8, 8, 8]
timesteps = 96
checkpoint_every = 48
evaluate_against = ["lowest", "random"]
evaluation_deals = 2

[game]
num_rounds = 1
hand_size = 3

[ppo]
num_envs = 16
batch_size = 32
"""
COMPARISON = """
seeds = 2
evaluate_against = ["lowest", "random"]
evaluation_deals = 4

[entries.sb3]
preset = "tiny.toml"
sweep.ppo.learning_rate = [1e-3]

[entries.own]
command = "python learner.py {seed} {out}"
"""
WORDS = ["comparison.toml", "--workers", "2", "--out", "out"]
REPORT = ["report.*", "*.png", "*.csv", "data/*", "marl_eval.json"]
GAME = GameConfig(3, num_rounds=1, hand_size=3)
LEARNER = """
import sys
from pathlib import Path

from tests.training.experiment.experiments import pretend_to_learn

pretend_to_learn(Path(sys.argv[2]), seed=int(sys.argv[1]))
"""


def write_comparison(folder: Path) -> None:
    (folder / "tiny.toml").write_text(PRESET)
    (folder / "comparison.toml").write_text(COMPARISON)
    (folder / "learner.py").write_text(LEARNER)


def experiment(*words: str) -> int:
    return cli.main(["experiment", "run", *words])


def report_on(*words: str) -> int:
    return cli.main(["experiment", "report", *words])


def report_files(folder: Path) -> dict[str, bytes]:
    """The files of the report."""
    found = sorted(path for pattern in REPORT for path in folder.glob(pattern))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def pretend_to_learn(out: Path, *games: GameConfig, seed: int) -> None:
    """Leaves the results of a run: a random policy, and evaluations against one bot."""
    out.mkdir(parents=True)
    policy = random_policy(*games or [GAME], seed=seed)
    players = {game.num_players for game in games}
    if len(players) > 1:
        policy = padded_policy(*games, pad_to_players=max(players))
    names = ["random", *(at_players("random", number) for number in players if len(players) > 1)]
    metrics = CsvLogger(LoggedRun(out, {}, None))
    metrics.log_rollout(100, {"loss": 0.0})
    for step in (0, 100):
        share = Estimate((seed + step / 100) / 10, 0.0, 1.0)
        metrics.log_evaluation(step, dict.fromkeys(names, share))
    save_policy(policy, out / "policy.safetensors")


def pretend(run: ExperimentRun, *, resumes: bool) -> int:
    """Stands in for the training of a run; that of an entry with such a name fails."""
    assert not resumes
    print(f"begins {run}: {run.command}")
    if run.entry.name.startswith("failing") and run.seed:
        raise ZeroDivisionError("out of luck")
    games = run.entry.training.configs if run.entry.training else ()
    pretend_to_learn(run.path, *games, seed=run.seed)
    return 0
