"""How far self-play gets after how many decisions, without a bot's knowledge in what it reads.

``ppo`` is generic: it reads the observation by layers that know nothing of the game but its cards.
``bidding-1`` has a network with the shape of the game.
"""

from functools import partial
from pathlib import Path
from typing import Any

from mindup_arena import win_share_against
from mindup_training import RunSettings, resume, train
from mindup_training.ppo import PPOConfig
from tools.why.study import Entries, percent

RUNS = Path("runs/why")
SEED, DEALS = 20261204, 100
OPPONENTS = "greedy", "planner", "champion-1"
SHARED: dict[str, Any] = {
    "first_checkpoint": 10_000,
    "evaluations": 4,
    "evaluation_deals": 10,
    "loggers": ("csv",),
}
PLAIN: dict[str, Any] = {"timesteps": 10_000_000, **SHARED}
SHAPED: dict[str, Any] = {
    "timesteps": 600_000,
    "network": "bidding-1",
    "features": "raw-1",
    "widths": (128, 64, 64),
    "num_envs": 64,
    "batch_size": 512,
    "learning_rate": 0.004,
    "gae_lambda": 0.6,
    **SHARED,
}
LEARNERS: dict[str, tuple[dict[str, Any], int]] = {
    "ppo": (PLAIN, 3),
    "bidding-1": (SHAPED, 3),
}
"""The settings and the number of seeds of each."""


def entries() -> Entries:
    return {
        f"{name}, seed {seed}": partial(learned, name, seed)
        for name, (_, seeds) in LEARNERS.items()
        for seed in range(seeds)
    }


def learned(name: str, seed: int) -> dict[str, Any]:
    """The win shares of the policies of a training."""
    curve = []
    for decisions, path in policies(name, seed).items():
        shares = {
            bot: percent(win_share_against(f"policy:{path}", bot, deals=DEALS, seed=SEED))
            for bot in OPPONENTS
        }
        curve.append({"decisions": decisions, **shares})
    return {"curve": curve}


def policies(name: str, seed: int) -> dict[int, Path]:
    """The policies of a learner, by decisions."""
    settings = PPOConfig(**{**LEARNERS[name][0], "seed": seed})
    return policies_of(settings, RUNS / f"{name}-seed{seed}")


def policies_of(settings: RunSettings, folder: Path) -> dict[int, Path]:
    """By decisions, the policies that a training kept, one at about each doubling, and the last.

    The training is begun, or resumed if the folder is there.
    """
    if folder.exists():
        result = resume(folder, quiet=True)
    else:
        result = train(settings, out=folder, quiet=True)
    kept = {int(path.stem): path for path in sorted(folder.glob("policies/*.safetensors"))}
    return {**kept, int(result.metrics["timesteps"][-1]): folder / "policy.safetensors"}
