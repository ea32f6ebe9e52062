"""Positions and games for the tests of language models."""

from pathlib import Path
from typing import Any

import numpy as np

from mindup_agents.llm import LanguageModel
from mindup_env import BatchEnv, GameConfig
from tests.agents.positions import ActArguments

SHORT = GameConfig(num_players=2, num_rounds=1, hand_size=4)


def model(folder: Path | None = None, config: GameConfig = SHORT, **options: Any) -> LanguageModel:
    return LanguageModel(config, model="stand-in", run_folder=folder, **options)


def first_turn(games: int = 3, config: GameConfig = SHORT, seed: int = 1) -> ActArguments:
    """All seats of some games, each with its own random bits."""
    env = BatchEnv(config, games)
    seen, _ = env.reset(seed=seed)
    rows = games * config.num_players
    bits = np.random.default_rng(seed).integers(0, 2**64, rows, np.uint64)
    return ActArguments(
        seen["observation"].reshape(rows, -1).copy(),
        seen["action_mask"].reshape(rows, -1).copy(),
        np.ones(rows, bool),
        bits,
    )
