"""The choices of the baseline bots, seat by seat, which must not change."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mindup_agents.champion_1 import PLAYERS
from mindup_agents.search import Search
from mindup_env import BatchEnv, GameConfig, make_agent
from tools.golden import games

FOLDER = games.FOLDER / "choices"
SEED = 11


class Baseline(NamedTuple):
    """A bot, and the number of games of each config that it plays."""

    spec: str
    num_games: int = 3


# With few simulations a small difference in one sampled game changes choices.
BASELINES = {
    "champion-1": Baseline("champion-1"),
    "greedy": Baseline("greedy"),
    "planner": Baseline("planner"),
    "predictor": Baseline("predictor"),
    "search": Baseline("search:simulations=6", 1),
    "search_game": Baseline(
        "search:simulations=3,horizon=game,models=random+planner,slip=0", num_games=1
    ),
    "search_simultaneous": Baseline(
        "search:simulations=4,simultaneous=true,models=greedy+planner", num_games=1
    ),
}


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def all_choices(name: str) -> str:
    """A paragraph for each config that it plays and each game, with a line for each turn."""
    baseline = BASELINES[name]
    parts = []
    for label, config in games.configs().items():
        if name == "champion-1" and not champion_plays(config):
            continue
        turns = list(lines_of_turns(baseline, config))
        for game, lines in enumerate(zip(*turns, strict=True)):
            parts.append("\n".join([f"{label}, game {game}", *lines]))
    return "\n\n".join(parts) + "\n"


def champion_plays(config: GameConfig) -> bool:
    return config.num_players in PLAYERS and config.num_rounds == GameConfig().num_rounds


def lines_of_turns(baseline: Baseline, config: GameConfig) -> Iterator[list[str]]:
    """The card numbers of each game for each turn, if the bot plays all seats.

    After those of the last game, ``search`` has its evaluation of the last seat's card.
    """
    num_games = baseline.num_games
    env, bot = BatchEnv(config, num_games), make_agent(baseline.spec, config)
    rng = np.random.default_rng(1)
    seen, _ = env.reset(seed=SEED)
    seats = num_games * config.num_players
    for turn in range(config.num_turns):
        actions = bot.act(
            seen["observation"].reshape(seats, -1),
            seen["action_mask"].reshape(seats, -1),
            np.full(seats, turn == 0),
            rng.integers(0, 2**64, seats, np.uint64),
        ).reshape(num_games, -1)
        lines = [" ".join(f"{card:>2}" for card in cards) for cards in (actions + 1).tolist()]
        if isinstance(bot, Search):
            lines[-1] += f"   {bot.evaluate_cards()[1][-1, actions[-1, -1]]:.12f}"
        yield lines
        seen, *_ = env.step(actions)
