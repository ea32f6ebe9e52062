"""PSRO: a league that grows by best responses to its own Nash mixture (Lanctot et al., 2017).

    python psro.py --rounds 3 --timesteps 200000

In each round the bots of the league play each other in pairs, a policy is trained against the Nash
mixture of the cross table, from which the opponent of each game is drawn, and joins the league.
With two players this is the game of the table; with more, different bots would meet.
"""

import argparse
from itertools import combinations

import numpy as np
from empirical_game import nash_mixture, payoffs_of  # type: ignore[import-not-found]  # beside it

from mindup_arena import win_share_against
from mindup_env import GameConfig
from mindup_training.train import TrainSettings, train

_NEGLIGIBLE = 0.01
"""Bots with a lower weight are left out of the mixture."""


def cross_table(league: list[str], deals: int) -> np.ndarray:
    """The win share (bots, bots) of the bot of each row against that of the column."""
    shares = np.full((len(league), len(league)), 0.5)
    for one, other in combinations(range(len(league)), 2):
        found = win_share_against(league[one], league[other], GameConfig(2), deals)
        shares[one, other] = found.value
        shares[other, one] = 1 - found.value
    return shares


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--timesteps", type=int, default=200_000, help="of each best response")
    parser.add_argument("--deals", type=int, default=100, help="of each pair of bots")
    parser.add_argument("--out", default="runs/psro", help="folder of the runs")
    given = parser.parse_args(words)
    league = ["random", "greedy"]
    for number in range(given.rounds + 1):
        weights = nash_mixture(payoffs_of(cross_table(league, given.deals)))
        mixture = [pair for pair in zip(weights, league, strict=True) if pair[0] > _NEGLIGIBLE]
        print(
            f"round {number}:", ", ".join(f"{100 * weight:.0f} % {bot}" for weight, bot in mixture)
        )
        if number == given.rounds:
            break
        settings = TrainSettings(
            num_players=2,
            opponents=tuple(f"{weight:.4f}:{bot}" for weight, bot in mixture),
            timesteps=given.timesteps,
            evaluate_against=(),
            threads=1,
        )
        league.append(str(train(settings, f"{given.out}/{number}")))


if __name__ == "__main__":
    main()
