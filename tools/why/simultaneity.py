"""What it is worth to be unpredictable: mixed choices against the most probable card.

``search:simultaneous=true`` plays the average strategy of regret matching over the cards of all
players in a turn, ``search`` its best card. ``champion-1`` plays the most probable card of its
policy; with ``temperature=1``, it draws the card by their probabilities.
"""

from collections import defaultdict
from functools import partial
from typing import Any

import numpy as np

from mindup_agents.search import Search
from mindup_arena import win_share_against
from mindup_arena.estimate import Floats, estimate_means
from mindup_env import BatchEnv, GameConfig, ScriptedSeats
from mindup_env.observation import layout_of
from tools.why.study import Entries, percent

CONFIG = GameConfig()
SEED, DEALS, MIXED_GAMES = 20261203, 150, 50
PAIRS = (
    ("search:simultaneous=true", "search"),
    ("search", "search:simultaneous=true"),
    ("champion-1:temperature=1", "champion-1"),
    ("champion-1", "champion-1:temperature=1"),
)
"""One bot, and the three others at its table."""


def entries() -> Entries:
    pairs = {" against ".join(pair): partial(win_share, *pair) for pair in PAIRS}
    return {**pairs, "mixed strategies": mixed_strategies}


def win_share(one: str, field: str) -> dict[str, Any]:
    return {
        "deals": DEALS,
        "win_share": percent(win_share_against(one, field, CONFIG, DEALS, SEED)),
    }


def mixed_strategies() -> dict[str, Any]:
    """How often regret matching plays its most probable card, by round, in games among itself."""
    env = BatchEnv(CONFIG, MIXED_GAMES, autoreset=False)
    actions = np.zeros((MIXED_GAMES, CONFIG.num_players), np.int64)
    bot = Search(CONFIG, simultaneous=True)
    bots = ScriptedSeats(env, dict.fromkeys(range(CONFIG.num_players), bot))
    found, _ = env.reset(seed=SEED)
    most_probable: dict[int, list[Floats]] = defaultdict(list)
    for _ in range(CONFIG.num_turns):
        round_ = layout_of(CONFIG).views(found["observation"])["round"].flat[0]
        bots.act(actions)
        _, strategies = bot.evaluate_cards()  # (seats of all games, num_cards)
        most_probable[int(round_)].append(strategies.max(axis=1).reshape(actions.shape))
        found, *_ = env.step(actions)
    measured = {}
    for number, each in most_probable.items():
        highest = np.concatenate(each, axis=1)  # (games, decisions)
        per_game = np.stack([highest.mean(axis=1), (highest > 0.9).mean(axis=1)], axis=1)
        mean, above = map(percent, estimate_means(per_game))
        measured[f"round {number}"] = {"mean": mean, "above 90 %": above}
    return measured
