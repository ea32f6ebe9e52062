"""Results of the benchmark that were not played, and a small benchmark."""

from typing import Any

import numpy as np
import pytest

from mindup_arena.benchmark import protocol
from mindup_arena.benchmark.protocol import BenchmarkGame, BenchmarkSettings, BenchmarkSize
from mindup_arena.benchmark.result import BenchmarkResult

GAMES = BenchmarkGame(3, 0, seed=11, agent_seed=12), BenchmarkGame(4, 2, seed=13, agent_seed=14)


def make_small(patch: pytest.MonkeyPatch) -> None:
    """Lets the benchmark play few games against fast rivals."""
    patch.setattr(protocol, "GAMES", GAMES)
    patch.setattr(protocol, "PANEL", {"random": "random", "lowest": "lowest"})
    patch.setattr(protocol, "SIZES", {"small": BenchmarkSize(2, 1), "full": BenchmarkSize(3, 2)})


def made_result(
    bot: str, strength: float = 0.0, *, size: str = "small", seed: int = 0, **given: Any
) -> BenchmarkResult:
    """A result of the real benchmark, with games won at random; each rival is a bit stronger."""
    settings = BenchmarkSettings(bot, size, given.pop("name", ""), given.pop("players", None))
    random, shape = np.random.default_rng(seed), (len(settings.games), len(protocol.PANEL))
    shares = np.empty((*shape, settings.deals))
    for row, game in enumerate(settings.games):
        for column, rival in enumerate(protocol.PANEL):
            chance = 1 / (1 + (game.players - 1) * np.exp(column / 2 - 1.5 - strength))
            won = random.random((settings.deals, game.players)) < chance
            is_rival = rival in settings.rivals
            shares[row, column] = won.mean(axis=1) if is_rival else 1 / game.players
    usual: dict[str, Any] = {
        "games_forfeited": 0,
        "decisions_per_second": 1000.0,
        "machine": {"processor": "a processor", "python": "3.12.1"},
    }
    return BenchmarkResult(settings, shares, **{**usual, **given})
