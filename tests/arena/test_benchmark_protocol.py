"""The protocol of the benchmark: what never changes, and the bots that it names."""

import hashlib
import json

import numpy as np
import pytest

from mindup_arena import play_match
from mindup_arena.benchmark.protocol import LATEST, PROTOCOLS, BenchmarkSettings
from mindup_env import GameConfig
from mindup_env.agent import make_agent

BOT = "tests.arena.bots:Salted:salt=1"
BENCH_1 = PROTOCOLS[LATEST]


def test_the_protocol_never_changes() -> None:
    parts = BENCH_1.name, BENCH_1.games, dict(BENCH_1.panel), dict(BENCH_1.sizes)
    digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
    assert digest == "5e71edc4975f0851bf4a460816e683f894aac2cc9df7ba05bda4816f6ebe95d6"


def test_all_rivals_can_be_made_and_the_small_size_is_small() -> None:
    for game in BENCH_1.games:
        for spec in BENCH_1.panel.values():
            make_agent(spec, game.config)
    turns = GameConfig().num_turns
    assert BENCH_1.count_games("mybot:Bot", "small") == 504 and 504 * turns == 10_584
    assert BENCH_1.count_games("mybot:Bot", "full") == 20 * 504
    assert BENCH_1.count_games("search", "small") == 432


@pytest.mark.parametrize("bot", ["random", BOT])
def test_a_bot_wins_its_equal_share_against_copies_of_itself(bot: str) -> None:
    results = play_match(GameConfig(3, 3), [bot] * 3, deals=4, seed=7)
    assert results.win_shares[..., 0].mean(axis=1) == pytest.approx(np.full(4, 1 / 3))


@pytest.mark.parametrize(
    ("given", "bot", "name"),
    [
        ("champion", BENCH_1.panel["champion-2"], "champion-2"),
        ("search", BENCH_1.panel["search"], "search"),
        ("search:simulations=8", "search:simulations=8", "search:simulations=8"),
        ("policy:runs/a-{players}p/policy.safetensors", None, "a-{players}p"),
    ],
)
def test_the_name_of_a_bot_of_the_panel_is_that_bot(given: str, bot: str | None, name: str) -> None:
    settings = BenchmarkSettings(given)
    assert (settings.bot, settings.name) == (bot or given, name)
    arena = BENCH_1.arena_settings(settings.bot, BENCH_1.games[-1], "full")
    assert arena.bots[0] == (bot or "policy:runs/a-6p/policy.safetensors")
    assert len(arena.bots) == (7 if name in BENCH_1.panel else 8)
