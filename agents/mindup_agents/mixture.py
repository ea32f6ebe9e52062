"""The bot ``mixture``: one of several bots in each game, drawn by their weights."""

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.random_numbers import uniform_numbers
from mindup_env import BatchEnv, GameConfig
from mindup_env.agent import make_agent
from mindup_env.checks import InputError, shown

_WEIGHTED = re.compile(r"([0-9]+(?:\.[0-9]+)?):(.+)")
_STREAM = range(1)  # a policy that samples uses the streams from 1 on
_MAX_WEIGHT = 10**6  # beside it, a bot of the weight 1 is hardly ever drawn


class OpponentShare(NamedTuple):
    """A bot, and how often it is drawn compared with the others."""

    weight: float
    spec: str


def parse_share(text: str) -> OpponentShare:
    """Reads ``greedy``, or ``2:greedy`` with a weight; bots may have options."""
    found = _WEIGHTED.fullmatch(text)
    share = OpponentShare(float(found[1]), found[2]) if found else OpponentShare(1.0, text)
    if not 0 < share.weight <= _MAX_WEIGHT:
        raise InputError(f"the weight in {shown(text)} must be above 0 and at most {_MAX_WEIGHT}")
    return share


class Mixture:
    """Plays each game as one of several bots, which it draws at the start by their weights.

    Each bot remembers its games by their rows, so it is called with all rows. In those that others
    play, it sees the last turn of a game, on which a search takes little time.

    Args:
        config: the game
        bots: the bots, each with an optional weight, joined by `+`, such as `2:greedy+planner`
    """

    def __init__(self, config: GameConfig, bots: str) -> None:
        shares = [parse_share(text.strip()) for text in bots.split("+")]
        self._agents = [make_agent(share.spec, config) for share in shares]
        weights = np.array([share.weight for share in shares])
        self._bounds = weights.cumsum() / weights.sum()
        self._drawn = np.zeros(0, np.int64)  # (B,) the bot that plays each row
        env = BatchEnv(config, 1)
        env.reset(seed=0)
        for _ in range(config.num_turns - 1):
            env.step(env.seen["action_mask"].argmax(axis=2))
        self._last_turn = {name: array[0, 0].copy() for name, array in env.seen.items()}

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        drawn = np.searchsorted(self._bounds, uniform_numbers(random_bits, _STREAM)[:, 0])
        kept = drawn if len(self._drawn) != len(drawn) else self._drawn
        self._drawn = np.where(episode_start, drawn, kept)
        actions = np.zeros(len(drawn), np.int64)
        for index, agent in enumerate(self._agents):
            rows = self._drawn == index
            if rows.any():
                seen = np.where(rows[:, None], observation, self._last_turn["observation"])
                mask = np.where(rows[:, None], action_mask, self._last_turn["action_mask"])
                actions[rows] = agent.act(seen, mask, episode_start, random_bits)[rows]
        return actions
