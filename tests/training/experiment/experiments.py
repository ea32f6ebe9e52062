"""A tiny preset, and experiments with it."""

from pathlib import Path

from mindup_env import cli

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
sweep.ppo.learning_rate = [1e-3, 1e-2]

[entries.self_play]
command = "python -m mindup_training.ppo --players 3 --timesteps 336 --num-envs 16 \
--evaluations 1 --evaluation-deals 2 --opponent lowest --seed {seed} --out {out}"
"""
WORDS = ["comparison.toml", "--workers", "2", "--out", "out"]
REPORT = ["report.*", "*.png", "*.csv", "data/*", "marl_eval.json"]


def write_comparison(folder: Path) -> None:
    (folder / "tiny.toml").write_text(PRESET)
    (folder / "comparison.toml").write_text(COMPARISON)


def experiment(*words: str) -> int:
    return cli.main(["experiment", *words])


def report_files(folder: Path) -> dict[str, bytes]:
    """The files of the report."""
    found = sorted(path for pattern in REPORT for path in folder.glob(pattern))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


LEARNER = """
import sys
from pathlib import Path

from mindup_agents.policy import save_policy
from mindup_arena.estimate import Estimate
from mindup_env import GameConfig
from mindup_training.train.metrics import Metrics
from mindup_training.run_folder import RunPaths
from tests.training.policies import random_policy

seed, out = int(sys.argv[1]), Path(sys.argv[2])
{then}
out.mkdir(parents=True)
Metrics(RunPaths(out)).add_evaluation(100, dict(random=Estimate(seed / 10, 0.0, 1.0)))
policy = random_policy(GameConfig(3, num_rounds=1, hand_size=3), seed=seed)
save_policy(policy, out / "policy.safetensors")
"""
"""A learner that learns nothing, and what it does before."""


def write_learner(folder: Path, name: str = "learner", then: str = "") -> str:
    """Writes the program of a learner; returns the lines of its entry."""
    (folder / f"{name}.py").write_text(LEARNER.format(then=then))
    return f"[entries.{name}]\ncommand = 'python {name}.py {{seed}} {{out}}'\n"
