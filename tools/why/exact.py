"""Measures docs/results/why/exact.json: exact exploitability in small games, over training.

python -m tools.why.exact

Entries that the report has are not measured again. Trainings are kept in runs/why/exact.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from mindup_agents.policy import PolicyAgent
from mindup_env.open_spiel.exact import ExactGame, Strategy
from mindup_env.runs.files import write_text
from mindup_env.variants import VARIANTS
from mindup_training import resume, train
from mindup_training.ppo import PPOConfig
from tools.tables.reports import RESULTS

BOTS = ["random", "lowest", "highest", "greedy", "planner", "predictor"]
AGAINST = "random", "greedy"
_SMALL: dict[str, Any] = {"num_envs": 128, "batch_size": 512}
TRAINED: dict[str, dict[str, Any]] = {
    "PPO": _SMALL,
    "MMD": {**_SMALL, "kl_coef": 0.5, "ent_coef": 0.05, "epochs": 4, "clip_range": 10.0},
    "bidding-1": {
        **_SMALL,
        "network": "bidding-1",
        "features": "raw-1",
        "learning_rate": 4e-3,
        "gae_lambda": 0.6,
    },
}
"""The settings of ``ppo`` that differ from its defaults."""
PLAYERS = [*BOTS, "CFR+", "NFSP", *TRAINED]
ITERATIONS = [2**power for power in range(7)]
Strategies = Iterator[tuple[dict[str, int], Strategy]]
"""What was learned from until then, in the words of the report, and the strategy."""


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    parser.add_argument("--players", nargs="+", choices=PLAYERS, default=PLAYERS)
    parser.add_argument("--rollouts", type=int, default=256, help="of each training")
    parser.add_argument("--episodes", type=int, default=8192, help="of NFSP")
    parser.add_argument("--out", type=Path, default=Path("runs/why/exact"))
    parser.add_argument("--json", type=Path, default=RESULTS / "why" / "exact.json")
    asked = parser.parse_args(words)
    report = json.loads(asked.json.read_text("utf-8")) if asked.json.exists() else {}
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    started, measured = monotonic(), 0
    left = sum(
        len({*asked.players} - {*report.get(game, {}).get("players", ())}) for game in asked.games
    )
    for name in asked.games:
        found = report.setdefault(name, {"players": {}})
        if not (missing := [each for each in asked.players if each not in found["players"]]):
            continue
        game = ExactGame(VARIANTS[name])
        found |= sizes(game)
        rivals = {bot: game.strategy(bot) for bot in AGAINST}
        for player in missing:
            points = [
                {
                    **learned,
                    "exploitability": game.exploitability(strategy),
                    "win_share": {bot: game.win_share(strategy, rivals[bot]) for bot in AGAINST},
                }
                for learned, strategy in strategies(game, name, player, asked)
            ]
            found["players"][player] = points
            write_text(asked.json, json.dumps(report, indent=1) + "\n")
            measured, left = measured + 1, left - 1
            minutes = (monotonic() - started) / 60 / measured * left
            print(
                f"{name} {player} {points[-1]['exploitability']:.5f}; {minutes:.0f} minutes left",
                flush=True,
            )


def sizes(game: ExactGame) -> dict[str, int]:
    return {
        "deals": game.num_deals,
        "information_states": sum(len(turn.seats) for turn in game.turns),
        "ends": len(game.returns),
    }


def strategies(game: ExactGame, name: str, player: str, asked: argparse.Namespace) -> Strategies:
    """The strategies of a player over its training; a bot has one."""
    if player in BOTS:
        yield {}, game.strategy(player)
    elif player == "CFR+":
        for iteration, strategy in zip(range(1, ITERATIONS[-1] + 1), game.solve(), strict=False):
            if iteration in ITERATIONS:
                yield {"iterations": iteration}, strategy
    elif player == "NFSP":
        from tools.why.nfsp import average_strategies  # noqa: PLC0415  # needs dm-tree

        times = [0, *(asked.episodes >> power for power in range(6, -1, -1))]
        seats = game.config.num_players * len(game.turns)
        for episodes, strategy in zip(times, average_strategies(game, times, 0), strict=True):
            yield {"decisions": episodes * seats}, strategy
    else:
        yield from trained(game, name, player, asked)


def trained(game: ExactGame, name: str, player: str, asked: argparse.Namespace) -> Strategies:
    """The policies that ``mindup_training.ppo`` keeps at about twice the decisions each."""
    shared = {"game": name, "reward": "win", "evaluations": 16, "evaluation_deals": 1}
    settings = PPOConfig(seed=0).changed({**shared, **TRAINED[player]})
    end = asked.rollouts * settings.rollout_size
    folder = asked.out / name / player
    if folder.exists():
        resume(folder, quiet=True)
    else:
        train(settings.changed({"timesteps": end}), out=folder, quiet=True)
    kept = {int(path.stem): path for path in folder.glob("policies/*.safetensors")}
    for decisions, path in sorted({**kept, end: folder / "policy.safetensors"}.items()):
        policy = PolicyAgent(game.config, str(path), temperature=1.0)
        yield {"decisions": decisions}, game.strategy(policy, has_memory=False)


if __name__ == "__main__":
    main()
