"""What each seat of a deal is worth: the average of strong play of all seats from the same cards.

The policy network of champion-2 plays all seats, with a little chance in its choices.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from mindup_agents.champion_2.network_folder import load_policy_alone
from mindup_agents.policy import PolicyAgent
from mindup_env import BatchEnv, Game
from mindup_env.engine.state import Float64Array

TEMPERATURE = 0.25
"""Chance enough that games differ; it plays as strongly as without (33 % against predictor)."""
NUM_GAMES, _BATCH = 128, 32
_QUANTILE = 1.96


class DealStrength(NamedTuple):
    """The results of strong play from one deal, by seat."""

    num_games: int
    win_shares: Float64Array  # (num_players,) means
    margins: Float64Array  # (num_players,) half the width of the 95 % intervals
    scores: Float64Array  # (num_players,) means

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data for JSON."""
        return {
            "num_games": self.num_games,
            "win_shares": self.win_shares.round(4).tolist(),
            "margins": self.margins.round(4).tolist(),
            "scores": self.scores.round(2).tolist(),
        }


def deal_strength(
    game: Game, seed: int, on_progress: Callable[[float], None] = lambda _: None
) -> DealStrength:
    """Plays the rest of ``game`` again and again, from its position as it is.

    ``on_progress`` is called with the part of the games that has been played, and may raise an
    error to stop.
    """
    policy = load_policy_alone(game.config, "")
    agent = PolicyAgent.of(policy, game.config, temperature=TEMPERATURE)
    rng = np.random.default_rng([seed, NUM_GAMES])
    played = []
    for first in range(0, NUM_GAMES, _BATCH):
        on_progress(first / NUM_GAMES)
        played.append(_play(agent, game, rng))
    shares, scores = map(np.concatenate, zip(*played, strict=True))  # (games, num_players)
    margins = _QUANTILE * shares.std(axis=0, ddof=1) / sqrt(NUM_GAMES)
    return DealStrength(NUM_GAMES, shares.mean(axis=0), margins, scores.mean(axis=0))


def _play(
    agent: PolicyAgent, game: Game, rng: np.random.Generator
) -> tuple[Float64Array, Float64Array]:
    """Win shares and scores (games, num_players) of some games."""
    config = game.config
    env = BatchEnv(config, _BATCH, autoreset=False, illegal_action="raise")
    for index in range(_BATCH):
        seen = env.set_game(index, game)
    rows = _BATCH * config.num_players
    first = len(game.plays)
    for turn in range(first, config.num_turns):
        actions = agent.act(
            seen["observation"].reshape(rows, -1),
            seen["action_mask"].reshape(rows, -1),
            np.full(rows, turn == first),
            rng.integers(0, 2**64, rows, np.uint64),
        )
        seen, _, _, _, info = env.step(actions.reshape(_BATCH, -1))
    winners = info["ranks"] == 0
    return winners / winners.sum(axis=1, keepdims=True), info["scores"].astype(np.float64)
