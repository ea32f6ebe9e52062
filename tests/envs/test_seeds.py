"""A seed is the same games everywhere: every card in every form, on every run."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from mindup_env import Game, GameConfig, mindup_v0
from tests.envs.apis import FORMS, Table, as_games

TABLES: list[Table] = [
    {},
    {"num_players": 2, "num_rounds": 2, "hand_size": 2},
    {"num_players": 3, "num_objectives": 2},
    {"num_players": 6, "num_objectives": 5},
]
SEED = 2**64 - 5
EPISODES = 3


@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("form", [name for name in FORMS if name != "games"])
def test_a_seed_is_the_same_games_in_every_form(form: str, table: Table) -> None:
    games = list(FORMS[form](table, SEED, EPISODES))
    assert games == list(as_games(table, SEED, EPISODES))
    assert len(games) == EPISODES * GameConfig(**table).num_turns


def test_seeds_and_episodes_deal_differently() -> None:
    games = [*as_games({}, 7, EPISODES), *as_games({}, 8, EPISODES)]
    deals = [game.deal for game in games if (game.round, game.turn) == (1, 1)]
    assert len(deals) == len({deal.deck for deal in deals}) == 2 * EPISODES
    assert all(one.score_orders != other.score_orders for one, other in pairwise(deals))


@pytest.mark.parametrize("seeds", [7, [7, 9, 7]], ids=str)
def test_slots_and_lists_of_seeds_of_vectors(seeds: int | list[int]) -> None:
    places = [(7, 0), (7, 1), (7, 2)] if seeds == 7 else [(7, 0), (9, 0), (7, 0)]
    env: Any = gymnasium.make_vec("MindUp-v0", num_envs=3, num_players=3)
    env.reset(seed=seeds)
    for episode in range(EPISODES):
        assert [env.game(index) for index in range(3)] == [
            Game(GameConfig(num_players=3), seed, slot=slot, episode=episode)
            for seed, slot in places
        ]
        env.reset()


def test_without_a_seed_every_environment_deals_other_games() -> None:
    parallel = [mindup_v0.parallel_env() for _ in range(2)]
    vectors: list[Any] = [gymnasium.make_vec("MindUp-v0", num_envs=2) for _ in range(2)]
    single: list[Any] = [gymnasium.make("MindUp-v0").unwrapped for _ in range(2)]
    for env in (*parallel, *vectors, *single):
        env.reset()
    games = [env.game for env in (*parallel, *single)]
    games += [env.game(index) for env in vectors for index in range(2)]
    assert len({game.deal.deck for game in games}) == len(games) == 8


def test_no_form_depends_on_the_hash_seed() -> None:
    digests = {digest_in_a_process(str(hash_seed)) for hash_seed in (1, 2)}
    assert len(digests) == 1
    assert all(len(digest) == 64 for digest in digests)


def digest_in_a_process(hash_seed: str) -> str:
    script = f"from tests.envs.apis import digest_of_all; print(digest_of_all({SEED}))"
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
