"""The game of choosing a bot: can bots be put in an order, or do they beat each other in circles?

Its payoffs are those of ``mindup_arena.empirical_game``. Strengths of the bots explain one part of
them, as differences; the rest is cyclic.
"""

from itertools import permutations
from typing import Any
from zlib import crc32

import numpy as np

from mindup_arena import play_match
from mindup_arena.empirical_game import game_measures, payoffs_of
from mindup_arena.estimate import (
    Floats,
    estimate_by_bootstrap,
    estimate_means,
    estimate_shares,
    resampled_means,
)
from mindup_env import GameConfig
from mindup_env.runs.files import atomic_write
from tools.why.learners import RUNS
from tools.why.learning import policies
from tools.why.study import Entries, percent

CONFIG = GameConfig()
SEED, DEALS, RESAMPLES = 20261205, 60, 200
SCRIPTED = ("random", "lowest", "highest", "greedy", "planner", "predictor")
SEARCHING = (
    "search:simulations=8",
    "search:simulations=24",
    "search:simulations=24,simultaneous=true",
    "champion-1",
    "champion-2:worlds=0",
    "champion-2:worlds=8",
)
LEARNED = {
    ("ppo", 0): (3, 6, -1),
    ("ppo", 1): (-1,),
    ("ppo", 2): (-1,),
    ("bidding-1", 0): (2, 4, -1),
    ("bidding-1", 1): (-1,),
    ("bidding-1", 2): (-1,),
}
"""Trainings by name and seed, and the places of the policies that play, ordered by decisions."""


def entries() -> Entries:
    return {"cross table": cross_table}


def players() -> dict[str, str]:
    """The bots by their names in the report."""
    found = {bot: bot for bot in (*SCRIPTED, *SEARCHING)}
    for (name, seed), places in LEARNED.items():
        kept = [*policies(name, seed).items()]
        for decisions, path in (kept[place] for place in places):
            found[f"{name}, seed {seed}, {decisions:,}"] = f"policy:{path}"
    return found


def cross_table() -> dict[str, Any]:
    """The win share of one of each bot against three of another, and what follows from all."""
    bots = players()
    won = np.zeros((len(bots), len(bots), DEALS))
    for row, bot in enumerate(bots.values()):
        won[row] = wins(bot, [*bots.values()])
        print(f"cycles: {row + 1} of {len(bots)} bots have played", flush=True)
    duels = [*permutations(range(len(bots)), 2)]
    per_deal = np.stack([won[duel] for duel in duels], axis=-1)
    (resampled,) = resampled_means([per_deal], SEED)
    measures = game_measures(duels, per_deal.mean(axis=0), resampled, len(bots), DEALS)
    halves = won[..., ::2], won[..., 1::2]
    random = np.random.default_rng(SEED)
    drawn = random.integers(DEALS // 2, size=(RESAMPLES, 2, DEALS // 2))
    shares = [
        [cyclic_share(*(half[..., deals] for half, deals in zip(halves, each, strict=True)))]
        for each in drawn
    ]
    found = np.array([cyclic_share(*halves)])
    (share,) = estimate_by_bootstrap(found, np.array(shares), DEALS // 2)
    return {
        "bots": [*bots],
        "deals": DEALS,
        "win_shares": [[*map(percent, estimate_shares(row.T, CONFIG.num_players))] for row in won],
        "means": [*map(percent, estimate_means(won.mean(axis=1).T))],
        **{name: np.round(measures[name], 2).tolist() for name in ("nash_weight", "alpha_rank")},
        "cyclic": percent(share),
    }


def wins(bot: str, others: list[str]) -> Floats:
    """The win shares (others, deals) of a bot against three of each; kept in a file of the runs."""
    played = f"{crc32(repr([*others, DEALS, SEED]).encode()):08x}"
    path = RUNS / "cycles" / played / f"{bot.replace('/', '_')}.npy"
    if path.exists():
        return np.asarray(np.load(path))
    found = np.full((len(others), DEALS), 1 / CONFIG.num_players)  # against itself
    for place, other in enumerate(others):
        if other != bot:
            match = play_match([bot, *[other] * (CONFIG.num_players - 1)], CONFIG, DEALS, SEED)
            found[place] = match.win_shares[..., 0].mean(axis=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        np.save(file, found)
    return found


def cyclic_share(*halves: Floats) -> float:
    """The part of the squared payoffs that no strengths explain.

    Chance looks like cycles. The squares are therefore products of the wins (bots, bots, deals) in
    two halves of the deals, whose chance is independent.
    """
    first, second = (payoffs_of(won.mean(axis=2)) for won in halves)
    return float((cyclic_part(first) * cyclic_part(second)).sum() / (first * second).sum())


def cyclic_part(payoffs: Floats) -> Floats:
    """Payoffs (bots, bots) without the differences of the bots' mean payoffs."""
    strengths = payoffs.mean(axis=1)
    return np.asarray(payoffs - (strengths[:, None] - strengths[None]))
