"""Two bots of your own, ranked against the built-in ones with 95 % intervals.

    python rank_own_bots.py --deals 100

A bot acts for a whole batch of seats, each from what that seat sees. The arena plays every deal in
all seat rotations, so that luck of the deal and of the seat cancels out.
"""

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_arena import ArenaSettings, print_report, run_arena
from mindup_env import GameConfig, Layout

Array = npt.NDArray[Any]


class Middle:
    """Plays the middle card of the hand."""

    def __init__(self, config: GameConfig) -> None:
        pass

    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        hands = [np.flatnonzero(mask) for mask in action_mask]
        return np.array([hand[len(hand) // 2] for hand in hands])


class BonusHunter(Middle):
    """Wants the prize with the largest bonus: a low card for the first, a high one for the last.

    ``slip`` is how often it plays a random card instead. All chance comes from ``random_bits``, so
    that a choice does not depend on the other rows of the batch.
    """

    def __init__(self, config: GameConfig, slip: float = 0.1) -> None:
        self.layout = Layout(config)
        self.slip = slip
        self.num_players = config.num_players
        self.bonus = np.array([card.points for card in config.deck])

    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        row = self.layout.views(observation)["row"]  # (B, num_cards) place of each prize, from 1
        best_prize = np.where(row > 0, self.bonus, -9).argmax(axis=1)
        place = row[np.arange(len(row)), best_prize] - 1
        actions = []
        for mask, wanted, bits in zip(action_mask, place, random_bits, strict=True):
            hand = np.flatnonzero(mask)
            rng = np.random.default_rng(int(bits))
            if rng.random() < self.slip:
                actions.append(rng.choice(hand))
            else:
                actions.append(hand[len(hand) * wanted // self.num_players])
        return np.array(actions)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=100, help="each in all seat rotations")
    parser.add_argument("--workers", type=int, default=1, help="processes that play")
    given = parser.parse_args(words)
    # The arena's processes import bots by module and class; options follow as name=value.
    bots = ("rank_own_bots:BonusHunter:slip=0.05", "rank_own_bots:Middle", "random", "greedy")
    settings = ArenaSettings(bots, GameConfig(num_players=4), deals=given.deals)
    print_report(run_arena(settings, workers=given.workers))


if __name__ == "__main__":
    main()
