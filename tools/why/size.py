"""How large the game is: choices, hidden hands and information states along random games."""

from functools import partial
from math import comb, factorial, log10, perm
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from mindup_arena.estimate import Floats
from mindup_env import BatchEnv, GameConfig
from mindup_env.engine.state import NUM_COLUMNS
from mindup_env.observation import layout_of
from tools.why.study import Entries

SEED, GAMES = 20261206, 500
Seen = dict[str, npt.NDArray[Any]]
"""The parts of the observations of one seat in each game."""


def entries() -> Entries:
    return {f"{players} players": partial(size, players) for players in range(3, 7)}


def size(players: int) -> dict[str, Any]:
    """The figures of a seat, as means over the games.

    The information states before its last decision are estimated by the numbers of possible
    observations after each turn, multiplied along a random game; the logarithm is averaged.
    """
    config = GameConfig(players)
    layout, random = layout_of(config), np.random.default_rng(SEED)
    env = BatchEnv(config, GAMES, autoreset=False)
    found, _ = env.reset(seed=SEED)
    hidden: dict[str, float] = {}
    choices = []
    states = np.full(GAMES, np.log10(first_observations(config)))
    for _ in range(config.num_turns):
        seen = layout.views(found["observation"][:, 0])
        round_ = f"round {seen['round'][0]}"
        if round_ not in hidden:
            if hidden:  # the seat's new card, and a new order of the score cards
                states += np.log10((num_unseen(seen) + 1) * factorial(NUM_COLUMNS))
            hidden[round_] = round(float(log10_hands(seen).mean()), 2)
        choices.append(seen["hand"].sum(axis=1).mean())
        states += log10_plays(seen)
        mask = found["action_mask"]
        found, *_ = env.step((mask * random.random(mask.shape)).argmax(axis=-1))
    return {
        "decisions": config.num_turns,
        "choices": round(float(np.mean(choices)), 2),
        "log10 deals": round(log10_deals(config), 1),
        "log10 hidden hands": hidden,
        "log10 information states": round(float((states - np.log10(choices[-1])).mean()), 1),
    }


def log10_deals(config: GameConfig) -> float:
    """The logarithm of the number of ways in which chance deals the cards of a game."""
    left, ways = config.num_cards, factorial(NUM_COLUMNS) ** config.num_rounds
    for cards in *[config.hand_size] * config.num_players, config.num_players:  # hands and row
        ways *= comb(left, cards)
        left -= cards
    for _ in range(1, config.num_rounds):  # each seat draws one
        ways *= perm(left, config.num_players)
        left -= config.num_players
    return log10(ways)


def first_observations(config: GameConfig) -> int:
    """The number of possible observations of a seat before its first decision."""
    cards, hand, row = config.num_cards, config.hand_size, config.num_players
    return comb(cards, hand) * comb(cards - hand, row) * factorial(NUM_COLUMNS)


def num_unseen(seen: Seen) -> Floats:
    """The number of cards (games,) that the seat sees nowhere."""
    places = seen["hand"] + (seen["row"] > 0) + seen["tableaux"].sum(axis=1)
    return np.asarray((places + seen["known"][:, 1:].sum(axis=1) == 0).sum(axis=1), np.float64)


def log10_hands(seen: Seen) -> Floats:
    """The logarithm (games,) of the number of ways in which the unseen cards can be dealt."""
    unseen, unknown = num_unseen(seen), seen["unknown"][:, 1:].astype(np.float64)
    rest = unseen - unknown.sum(axis=1)
    ways = gammaln(unseen + 1) - gammaln(rest + 1) - gammaln(unknown + 1).sum(axis=1)
    return np.asarray(ways / np.log(10))


def log10_plays(seen: Seen) -> Floats:
    """The logarithm (games,) of the number of plays of all seats that the seat can observe next."""
    unknown, known = seen["unknown"][:, 1:], seen["known"][:, 1:].sum(axis=2)
    cards = known + (unknown > 0) * num_unseen(seen)[:, None]  # that each opponent can play
    return np.asarray(np.log10(seen["hand"].sum(axis=1)) + np.log10(cards).sum(axis=1))
