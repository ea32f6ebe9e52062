"""Who beats whom: the game in which each player chooses a bot, from the report of an arena.

    mindup arena random greedy planner predictor --json report.json
    python empirical_game.py report.json

Ratings put bots on a line, and depend on how many weak bots there are. In a Nash mixture only those
bots count that a good mixture contains: several of them if they beat each other in a circle.
Alpha-rank is the share of the time for which a population plays a bot, if it switches to bots that
beat its own (Omidshafiei et al., 2019). Its code in OpenSpiel also needs networkx.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linprog

_NOISE = 0.01
"""The probability of a switch to a bot that wins less; without it some tables have no answer."""


def payoffs_of(win_shares: np.ndarray) -> np.ndarray:
    """The payoffs (bots, bots) of row bots: half the differences of win shares of two bots.

    Args:
        win_shares: Those of one row bot against copies of the column bot (bots, bots).
    """
    return np.asarray((win_shares - win_shares.T) / 2)


def read_payoffs(report: dict[str, Any]) -> tuple[list[str], np.ndarray]:
    """The names of the bots, and their payoffs (bots, bots), from the cross table of a report."""
    duels = report["cross_table"]
    names = sorted({duel[side] for duel in duels for side in ("one", "field")})
    shares = np.full((len(names), len(names)), np.nan)
    np.fill_diagonal(shares, 0)
    for duel in duels:
        shares[names.index(duel["one"]), names.index(duel["field"])] = duel["win_share"]
    if np.isnan(shares).any():
        raise ValueError("not every pair of bots has played: rank them without --against")
    return names, payoffs_of(shares)


def nash_mixture(payoffs: np.ndarray) -> np.ndarray:
    """The weights (bots,) of a mixture against which no bot has a payoff above 0.

    There is one, since the game is symmetric and zero-sum; if there are several, this is any.
    """
    bots = len(payoffs)
    found = linprog(
        np.zeros(bots),
        A_ub=payoffs,
        b_ub=np.zeros(bots),
        A_eq=np.ones((1, bots)),
        b_eq=[1],
        bounds=(0, 1),
    )
    return np.asarray(found.x)


def alpha_rank(payoffs: np.ndarray) -> np.ndarray:
    """The shares (bots,) of the time. Only the signs of payoffs matter, not their sizes."""
    from open_spiel.python.egt import alpharank  # noqa: PLC0415  # optional

    _, _, shares, *_ = alpharank.compute(
        [np.sign(payoffs)], use_inf_alpha=True, inf_alpha_eps=_NOISE
    )
    return np.asarray(shares)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("report", type=Path, help="what mindup arena --json FILE wrote")
    given = parser.parse_args(words)
    names, payoffs = read_payoffs(json.loads(given.report.read_text(encoding="utf-8")))
    weights = nash_mixture(payoffs)
    columns = {"points against the mixture": payoffs @ weights, "weight in it in %": 100 * weights}
    try:
        columns["alpha-rank in %"] = 100 * alpha_rank(payoffs)
    except ImportError as error:
        print(f"without alpha-rank: {error}")
    width = max(map(len, names))
    print(" " * width, *columns, sep="  ")
    for bot in np.argsort(-payoffs.mean(axis=1)):
        cells = (f"{values[bot]:{len(title)}.1f}" for title, values in columns.items())
        print(f"{names[bot]:{width}}", *cells, sep="  ")


if __name__ == "__main__":
    main()
