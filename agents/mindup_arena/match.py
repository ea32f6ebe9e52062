"""One match from Python: agents at the places of a table over some deals, in this process."""

from collections.abc import Callable, Sequence

from mindup_arena.estimate import Estimate, estimates, resampled_means
from mindup_arena.games import MatchResults, RotatedDeals
from mindup_arena.settings import CHUNK_DEALS
from mindup_env import GameConfig
from mindup_env.agent import Agent, make_agent
from mindup_env.checks import check_int
from mindup_env.envs.opponents import BatchedSeats

OnProgress = Callable[[float], None]


def play_match(
    config: GameConfig,
    agents: Sequence[str | Agent],
    deals: int,
    seed: int = 0,
    *,
    on_progress: OnProgress | None = None,
) -> MatchResults:
    """Plays every deal in all seat rotations of the agents.

    The same spec or the same object at several places is one agent, called once for all of them.
    There are no forfeits here: an illegal card or an error of an agent is raised.

    Args:
        config: The game to play.
        agents: The agent at each place of the table, or its spec for ``make_agent``.
        deals: Number of deals.
        seed: Random seed of the cards and of the agents.
        on_progress: Called with the part of the deals that has been played, from 0 to 1.

    Returns:
        The results for the agent at each place, wherever it sits.
    """
    check_int("deals", deals, 1)
    if isinstance(agents, str) or len(agents) != config.num_players:
        raise ValueError(
            f"agents must be a list of {config.num_players}, one for each place, not {agents!r}"
        )
    specs = dict.fromkeys(each for each in agents if isinstance(each, str))
    made = {spec: make_agent(spec, config) for spec in specs}
    players = [made[each] if isinstance(each, str) else each for each in agents]
    most_rows = min(deals, CHUNK_DEALS) * config.num_players**2
    seats = {id(agent): BatchedSeats(agent, config, most_rows) for agent in players}
    bots = [seats[id(agent)] for agent in players]
    parts = []
    for first in range(0, deals, CHUNK_DEALS):
        last = min(first + CHUNK_DEALS, deals)
        parts.append(RotatedDeals(config, seed, range(first, last)).play(bots))
        if on_progress is not None:
            on_progress(last / deals)
    return MatchResults.concatenate(parts)


def win_share_against(
    agent: str | Agent,
    opponent: str | Agent,
    config: GameConfig,
    deals: int,
    seed: int = 0,
    *,
    on_progress: OnProgress | None = None,
) -> Estimate:
    """Estimates the win share of one agent against copies of another.

    Args:
        agent: The agent, or its spec for ``make_agent``.
        opponent: The agent at all other seats, or its spec.
        config: The game to play.
        deals: Number of deals, each played in all seat rotations.
        seed: Random seed of the cards, of the agents and of the bootstrap.
        on_progress: Called with the part of the deals that has been played, from 0 to 1.

    Returns:
        The share of the victories, from 0 to 1, with its 95 % confidence interval; equal play
        is ``1 / config.num_players``.
    """
    agents = [agent, *[opponent] * (config.num_players - 1)]
    results = play_match(config, agents, deals, seed, on_progress=on_progress)
    per_deal = results.win_shares[..., :1].mean(axis=1)  # (deals, 1)
    return estimates(per_deal.mean(axis=0), resampled_means(per_deal, seed), deals)[0]
