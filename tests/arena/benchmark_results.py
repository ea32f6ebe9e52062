"""Results of the benchmark that were not played, and a small protocol."""

from functools import cache
from typing import Any

import numpy as np

from mindup_arena.benchmark.protocol import (
    BenchmarkGame,
    BenchmarkSettings,
    BenchmarkSize,
    Protocol,
)
from mindup_arena.benchmark.result import BenchmarkResult
from mindup_env import Game, GameConfig

BENCH_1, BENCH_2 = "mindup-bench-1", "mindup-bench-2"
GAMES = BenchmarkGame(3, 0, seed=11, agent_seed=12), BenchmarkGame(4, 2, seed=13, agent_seed=14)
_PANEL = {"random": "random", "lowest": "lowest"}
_SIZES = {"small": BenchmarkSize(2, 1), "full": BenchmarkSize(3, 2)}
SMALL = {
    BENCH_1: Protocol(BENCH_1, GAMES, _PANEL, _SIZES),
    BENCH_2: Protocol(BENCH_2, GAMES, {"mixed": "mixture:random+lowest", **_PANEL}, _SIZES),
}
"""Protocols of fast bots, under the names of the real ones."""


def made_result(
    bot: str, strength: float = 0.0, *, size: str = "small", seed: int = 0, **given: Any
) -> BenchmarkResult:
    """A result of the real protocol, with games won at random; each rival is a bit stronger."""
    about = given.pop("name", ""), given.pop("protocol", BENCH_1)
    settings = BenchmarkSettings(bot, size, *about)
    rules, random = settings.rules, np.random.default_rng(seed)
    deals, own = rules.sizes[size].deals, rules.panel_name(settings.bot)
    shares = np.empty((len(rules.games), len(rules.panel), deals))
    for row, game in enumerate(rules.games):
        for column, rival in enumerate(rules.panel):
            chance = 1 / (1 + (game.players - 1) * np.exp(column / 2 - 1.5 - strength))
            won = random.random((deals, game.players)) < chance
            shares[row, column] = 1 / game.players if rival == own else won.mean(axis=1)
    usual: dict[str, Any] = {
        "games_forfeited": 0,
        "decisions_per_second": 1000.0,
        "machine": {"processor": "a processor", "python": "3.12.1"},
    }
    if "records" not in given:
        usual["records"] = [played_record(game.config) for game in rules.games]
    return BenchmarkResult(settings, shares, **{**usual, **given})


@cache
def played_record(config: GameConfig) -> dict[str, Any]:
    """The record of a game in which all play their lowest cards."""
    game = Game(config, 5)
    while not game.over:
        game.play([game.hand(player)[0] for player in range(config.num_players)])
    return game.record()
