"""The choices of the baseline bots, seat by seat, which must not change."""

from pathlib import Path

import numpy as np

from mindup_env import BatchEnv, GameConfig, make_agent
from tools.golden import games

FOLDER = games.FOLDER / "choices"
BASELINES = "greedy", "planner", "predictor"
NUM_GAMES = 3
SEED = 11


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def all_choices(name: str) -> str:
    """A paragraph for each config and game, and in it a line for each turn."""
    parts = []
    for label, config in games.configs().items():
        for game, turns in enumerate(choices(name, config).swapaxes(0, 1).tolist()):
            lines = [" ".join(f"{card:>2}" for card in cards) for cards in turns]
            parts.append("\n".join([f"{label}, game {game}", *lines]))
    return "\n\n".join(parts) + "\n"


def choices(name: str, config: GameConfig) -> np.ndarray[tuple[int, int, int], np.dtype[np.int64]]:
    """The card numbers (num_turns, games, num_players) if the bot plays all seats."""
    env, bot, rng = BatchEnv(config, NUM_GAMES), make_agent(name, config), np.random.default_rng(1)
    seen, _ = env.reset(seed=SEED)
    seats = NUM_GAMES * config.num_players
    cards = []
    for turn in range(config.num_turns):
        actions = bot.act(
            seen["observation"].reshape(seats, -1),
            seen["action_mask"].reshape(seats, -1),
            np.full(seats, turn == 0),
            rng.integers(0, 2**64, seats, np.uint64),
        ).reshape(NUM_GAMES, -1)
        cards.append(actions + 1)
        seen, *_ = env.step(actions)
    return np.array(cards)
