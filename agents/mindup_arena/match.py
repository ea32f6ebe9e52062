"""Arenas from Python: one line-up over some deals, played in this process."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from mindup_arena.estimate import Estimate, estimates
from mindup_arena.measures import Floats, win_shares
from mindup_arena.resampling import resampled_means
from mindup_arena.settings import CHUNK_DEALS
from mindup_arena.tables import GameResults, Tables
from mindup_env import GameConfig
from mindup_env.agent import Agent, make_agent
from mindup_env.checks import check_int
from mindup_env.engine.state import Int64Array
from mindup_env.envs.opponents import BatchedSeats

# Is told which part of the deals has been played, from 0 to 1.
OnProgress = Callable[[float], None]


class MatchResults(NamedTuple):
    """What the agents reached, each at its place of the line-up, wherever it sat.

    In rotation r the agent at place i sits at seat (i + r) modulo the number of players.
    """

    scores: Int64Array  # (deals, rotations, places)
    ranks: Int64Array  # (deals, rotations, places) how many were better; 0 for a winner
    win_shares: Floats  # (deals, rotations, places)


def play_match(
    config: GameConfig,
    line_up: Sequence[str | Agent],
    deals: int,
    seed: int = 0,
    *,
    on_progress: OnProgress | None = None,
) -> MatchResults:
    """Plays every deal in all seat rotations of a line-up of agents or their specs.

    An agent at several places is asked once for all of them. Unlike in the command nobody
    forfeits: an illegal card or an error is raised.
    """
    check_int("deals", deals, 1)
    if isinstance(line_up, str) or len(line_up) != config.num_players:
        raise ValueError(f"a line-up is a list of {config.num_players} agents, not {line_up!r}")
    agents = {
        _identity(each): make_agent(each, config) if isinstance(each, str) else each
        for each in line_up
    }
    parts = []
    for first in range(0, deals, CHUNK_DEALS):
        tables = Tables(config, seed, range(first, min(first + CHUNK_DEALS, deals)))
        players = []
        for identity, agent in agents.items():
            places = [i for i, each in enumerate(line_up) if _identity(each) == identity]
            rows = tables.rows(places)
            players.append(BatchedSeats(agent, config, len(rows)))
            players[-1].sit_down(rows)
        parts.append(tables.play(players))
        if on_progress is not None:
            on_progress(min(first + CHUNK_DEALS, deals) / deals)
    played = GameResults(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
    return MatchResults(*played, win_shares(played))


def win_share_against(
    agent: str | Agent,
    opponent: str | Agent,
    config: GameConfig,
    deals: int,
    seed: int = 0,
    *,
    on_progress: OnProgress | None = None,
) -> Estimate:
    """The win share, from 0 to 1, of one agent against copies of another."""
    line_up = [agent, *[opponent] * (config.num_players - 1)]
    results = play_match(config, line_up, deals, seed, on_progress=on_progress)
    per_deal = results.win_shares[..., :1].mean(axis=1)  # (deals, 1)
    return estimates(per_deal.mean(axis=0), resampled_means(per_deal, seed), deals)[0]


def _identity(agent: str | Agent) -> str | int:
    """The same spec or the same object is one agent."""
    return agent if isinstance(agent, str) else id(agent)
