"""The learners that are compared: their settings, and how long and how often they learn."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock

from mindup_arena import win_share_against
from mindup_training import RunSettings, resume, train
from mindup_training.dataset import DatasetSettings, make_dataset
from mindup_training.settings.presets import read_settings

RUNS = Path("runs/why")
EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.append(str(EXAMPLES))  # one of them is a learner
SEED = 20261204
"""Of the deals that policies are compared on."""
DATASET = DatasetSettings(("predictor",), deals=6_600, format="npz")
"""About 550,000 decisions; a pass learns from nine tenths of them."""
PASS = 500_000
LONG, MEDIUM, SHORT = 20_000_000, 5_000_000, 20_000
"""Decisions."""


class Kind(NamedTuple):
    """Where a learner has its hyperparameters, and how its settings say how long it learns."""

    section: str
    length: Callable[[int], dict[str, Any]]


def of_self_play(decisions: int) -> dict[str, Any]:
    first = min(10_000, decisions // 40)
    return {"timesteps": decisions, "first_checkpoint": first, "evaluations": 4}


def of_one_seat(decisions: int) -> dict[str, Any]:
    return {"timesteps": decisions, "first_checkpoint": 10_000, "checkpoint_every": decisions // 4}


def of_passes(decisions: int) -> dict[str, Any]:
    return {"epochs": decisions // PASS, "imitate": [str(dataset())]}


SELF_PLAY, ONE_SEAT, PASSES = Kind("", of_self_play), Kind("ppo.", of_one_seat), Kind("", of_passes)


class Compared(NamedTuple):
    """A learner; the search of its hyperparameters changes the learning rate and ``second``.

    One that is ``like`` another is the same for fewer decisions, with the values found there.
    """

    kind: Kind
    decisions: int
    seeds: int
    settings: Mapping[str, Any]
    second: str = "ent_coef"
    like: str = ""

    def run(self, decisions: int, seed: int, **hyperparameters: float) -> RunSettings:
        """The settings of a training of that many decisions."""
        own = {f"{self.kind.section}{name}": value for name, value in hyperparameters.items()}
        length = self.kind.length(decisions)
        shared = {"seed": seed, "loggers": ["csv"], "threads": 1}
        return read_settings({**self.settings, **length, **shared}).changed(own)


def self_play(learner: str, **changes: Any) -> dict[str, Any]:
    return {"learner": learner, "evaluation_deals": 10, **changes}


def one_seat(**changes: Any) -> dict[str, Any]:
    """MaskablePPO, with as many decisions in a rollout as 64 games of self-play have."""
    return {
        "opponents": ["1:random", "2:greedy", "1:planner"],
        "evaluate_against": ["greedy"],
        "evaluation_deals": 10,
        "ppo": {"num_envs": 256, "batch_size": 512},
        **changes,
    }


FEW_GAMES = {"num_envs": 8}
"""Of a rollout, so that a short training has many."""
BIDDING = {
    "network": "bidding-1",
    "widths": [128, 64, 64],
    "features": "raw-1",
    "batch_size": 2048,
    "gae_lambda": 0.6,
}
LEARNERS = {
    "ppo": Compared(SELF_PLAY, LONG, 5, self_play("ppo")),
    "ppo_5M": Compared(SELF_PLAY, MEDIUM, 5, self_play("ppo"), like="ppo"),
    "ppo_20k": Compared(SELF_PLAY, SHORT, 5, self_play("ppo", **FEW_GAMES), like="ppo"),
    "mappo": Compared(SELF_PLAY, LONG, 5, self_play("ppo", critic="state")),
    "mmd": Compared(SELF_PLAY, MEDIUM, 3, self_play("ppo", kl_coef=0.5, epochs=4, clip_range=10.0)),
    "dqn": Compared(SELF_PLAY, MEDIUM, 3, self_play("dqn"), "final_epsilon"),
    "bots": Compared(ONE_SEAT, MEDIUM, 5, one_seat()),
    "bots_and_self_play": Compared(ONE_SEAT, MEDIUM, 3, one_seat(self_play={})),
    "bots_position": Compared(ONE_SEAT, LONG, 3, one_seat(features="position-1")),
    "gru": Compared(SELF_PLAY, LONG, 3, self_play("memory_bot:RecurrentPPO")),
    "imitation": Compared(
        PASSES,
        MEDIUM,
        3,
        {"learner": "imitation", "features": "plain-1", "widths": [64, 64, 64]},
        "batch_size",
    ),
    "nfsp": Compared(SELF_PLAY, LONG, 3, self_play("nfsp"), "final_epsilon"),
    "bidding-1": Compared(SELF_PLAY, LONG, 3, self_play("ppo", **BIDDING)),
    "bidding-1_20k": Compared(
        SELF_PLAY, SHORT, 3, self_play("ppo", **BIDDING, **FEW_GAMES), like="bidding-1"
    ),
}


def dataset() -> Path:
    """The folder of the games to imitate, which the first caller makes."""
    folder = RUNS / "dataset"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        make_dataset(DATASET, folder)
    return folder


def trained(settings: RunSettings, folder: Path) -> dict[int, Path]:
    """By decisions, the policies that a training kept, one at about each doubling, and the last.

    The training is begun, or resumed if the folder is there.
    """
    result = (
        resume(folder, quiet=True) if folder.exists() else train(settings, out=folder, quiet=True)
    )
    kept = {int(path.stem): path for path in sorted(folder.glob("policies/*.safetensors"))}
    return {**kept, int(result.metrics["timesteps"][-1]): folder / "policy.safetensors"}


def win_shares(settings: RunSettings, policy: Path, deals: Mapping[str, int]) -> dict[str, float]:
    """In per cent, of a policy against three copies of each bot, with its number of deals."""
    played = f"policy:{policy}{settings.own_code.as_options}"
    return {
        bot: round(100 * win_share_against(played, bot, deals=number, seed=SEED).value, 2)
        for bot, number in deals.items()
    }
