"""A match: one agent at each place of a table plays every deal in all seat rotations.

``play_match`` and ``win_share_against`` are matches from Python, in the calling process.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from mindup_arena.estimate import Estimate, Floats, estimate_shares
from mindup_arena.settings import CHUNK_DEALS
from mindup_env import BatchEnv, GameConfig
from mindup_env.agent import Agent, as_agent
from mindup_env.checks import InputError, check_int, shown
from mindup_env.config import check_config
from mindup_env.engine.batch import Batch
from mindup_env.engine.keys import make_keys
from mindup_env.engine.state import Int64Array
from mindup_env.envs.seated_bots import SeatedBots


class MatchResults(NamedTuple):
    """The results of a match, by the place of an agent, wherever it sits.

    In rotation r the agent at place i sits at seat (i + r) modulo the number of players.
    """

    scores: Int64Array  # (deals, rotations, places) at the end
    ranks: Int64Array  # (deals, rotations, places) number of better results in the game

    @property
    def win_shares(self) -> Floats:
        """From 0 to 1 (deals, rotations, places)."""
        winners = self.ranks == 0
        return np.asarray(winners / winners.sum(axis=-1, keepdims=True))

    @property
    def mean_ranks(self) -> Floats:
        """Ranks from 1 (deals, rotations, places); ties have their mean."""
        tied = (self.ranks[..., :, None] == self.ranks[..., None, :]).sum(axis=-1)
        return np.asarray(self.ranks + (tied + 1) / 2)

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Joins results over different deals."""
        return cls(*map(np.concatenate, zip(*parts, strict=True)))


def play_match(
    agents: Sequence[str | Agent],
    config: GameConfig | None = None,
    deals: int = 100,
    seed: int = 0,
) -> MatchResults:
    """Plays every deal in all seat rotations of the agents.

    The same spec or object at several places is one agent, called once for all of them. An illegal
    card or an error of an agent is raised.

    Args:
        agents: The agent at each place of the table, or its spec for ``make_agent``.
        config: The game; the published one for four players if None.
        deals: Number of deals.
        seed: Random seed of the cards and of the agents.
    """
    config = check_config(config or GameConfig())
    check_int("deals", deals, 1)
    if isinstance(agents, str) or len(agents) != config.num_players:
        rule = f"agents must be a list of {config.num_players}, one for each place"
        raise InputError(f"{rule}, not {shown(agents)}")
    made = {each: as_agent(each, config) for each in agents if isinstance(each, str)}
    bots = [made[each] if isinstance(each, str) else each for each in agents]
    parts = []
    for first in range(0, deals, CHUNK_DEALS):
        chunk = range(deals)[first : first + CHUNK_DEALS]
        parts.append(RotatedDeals(config, seed, chunk).play(bots))
    return MatchResults.concatenate(parts)


def win_share_against(
    agent: str | Agent,
    opponent: str | Agent,
    config: GameConfig | None = None,
    deals: int = 100,
    seed: int = 0,
) -> Estimate:
    """Estimates the win share, from 0 to 1, of one agent against copies of another.

    Equal play is ``1 / config.num_players``.

    Args:
        agent: The agent, or its spec for ``make_agent``.
        opponent: The agent at all other seats, or its spec.
        config: The game; the published one for four players if None.
        deals: Number of deals, two at least, each played in all seat rotations.
        seed: Random seed of the cards and of the agents.
    """
    config = check_config(config or GameConfig())
    check_int("deals", deals, 2)  # an interval needs two
    agents = [agent, *[opponent] * (config.num_players - 1)]
    results = play_match(agents, config, deals, seed)
    per_deal = results.win_shares[..., :1].mean(axis=1)  # (deals, 1)
    return estimate_shares(per_deal, config.num_players)[0]


class RotatedDeals:
    """Some deals, each in all seat rotations, as one batch of games ``env``.

    Game ``deal * players + rotation`` is a deal in one rotation. Deal d has the cards of slot d of
    the seed. The bots' random bits come from the agent seed, by default a hash of the seed.
    """

    def __init__(
        self, config: GameConfig, seed: int, deals: range, agent_seed: int | None = None
    ) -> None:
        players = config.num_players
        of_deals = make_keys(seed, len(deals), deals.start, agent_seed=agent_seed)
        keys = np.repeat(of_deals, players, axis=0)  # of games
        games = np.arange(len(keys))[:, None]
        self.env = BatchEnv(config, len(games), autoreset=False)
        self.env.reset(seed=seed)  # other deals, which the next line replaces
        self.env.set_state(range(len(games)), Batch.dealt(config, keys))
        self._places = (np.arange(players) - games) % players  # (games, seats)

    def play(self, bots: Sequence[Agent]) -> MatchResults:
        """Plays the games; ``bots`` has the bot at each place, and one can take several."""
        seated = SeatedBots(self.env, dict(enumerate(bots)), self._places)
        actions = np.zeros(self._places.shape, np.int64)
        for _ in range(self.env.config.num_turns):
            seated.act(actions)
            *_, info = self.env.step(actions)
        seats = self._places.argsort(axis=1)  # (games, places)
        shape = -1, len(bots), len(bots)  # (deals, rotations, places)
        scores = np.take_along_axis(info["score"], seats, axis=1).reshape(shape)
        ranks = np.take_along_axis(info["rank"], seats, axis=1).reshape(shape)
        return MatchResults(scores.astype(np.int64), ranks.astype(np.int64))
