"""A determinised Monte Carlo tree search: a strong bot in a hundred lines.

    python mcts_bot.py --deals 5

Each search samples full games that agree with what the seat knows (determinizations) and plays
them on together, as one batch. The own cards of the first turns come from a tree shared by all
sampled games (UCB1); the other players, and the own later turns, play like ``greedy``.
"""

import argparse
from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_arena import win_share_against
from mindup_env import BatchEnv, GameConfig, belief, make_agent

Array = npt.NDArray[Any]
Path = tuple[int, ...]  # the own cards since the root
Node = Array  # (2, num_cards) visits of each card, and the sum of its results


class MCTS:
    """Plays the card that its search visits most.

    A decision plays ``batches`` batches of ``games`` sampled games, each batch in lockstep;
    ``exploration`` is the weight of the upper confidence bound.
    """

    def __init__(
        self, config: GameConfig, *, batches: int = 4, games: int = 64, exploration: float = 0.5
    ) -> None:
        self.config = config
        self.batches = batches
        self.exploration = exploration
        self.env = BatchEnv(config, games, autoreset=False)
        self.env.reset()
        self.rollout_bot = make_agent("greedy", config)

    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        searches = zip(observation, random_bits, strict=True)
        return np.array([self.search(seen, int(bits)) for seen, bits in searches])

    def search(self, observation: Array, seed: int) -> int:
        """The action for one observation; the viewer is player 0 of the sampled games."""
        rng = np.random.default_rng(seed)
        tree: dict[Path, Node] = defaultdict(lambda: np.zeros((2, self.config.num_cards)))
        for _ in range(self.batches):
            games = belief.sample(observation, self.config, self.env.num_envs, rng)
            seen = self.env.set_state(range(self.env.num_envs), games)
            self.play_batch(tree, seen)
        return int(tree[()][0].argmax())

    def play_batch(self, tree: dict[Path, Node], seen: dict[str, Array]) -> None:
        """Plays all sampled games to the end, and adds their results to the tree."""
        num_games = self.env.num_envs
        paths: list[Path] = [()] * num_games
        in_tree = np.ones(num_games, bool)
        ended = False
        while not ended:
            actions = self.rollout_actions(seen)
            for game in np.flatnonzero(in_tree):
                node = tree[paths[game]]
                card = self.select(node, seen["action_mask"][game, 0])
                in_tree[game] = node[0, card] > 0  # a card tried for the first time is a leaf
                node[0, card] += 1  # counted now, so that the games of a batch spread out
                paths[game] += (card,)
                actions[game, 0] = card
            seen, _, terminations, _, info = self.env.step(actions)
            ended = bool(terminations.all())
        for path, win_share in zip(paths, info["win_share"][:, 0], strict=True):
            for depth, card in enumerate(path):
                tree[path[:depth]][1, card] += win_share

    def rollout_actions(self, seen: dict[str, Array]) -> Array:
        seats = self.env.num_envs * self.config.num_players
        actions = self.rollout_bot.act(
            seen["observation"].reshape(seats, -1),
            seen["action_mask"].reshape(seats, -1),
            np.zeros(seats, bool),  # greedy has no memory to clear
            np.zeros(seats, np.uint64),  # and leaves nothing to chance
        )
        return actions.reshape(-1, self.config.num_players)

    def select(self, node: Node, mask: Array) -> int:
        """UCB1 over the cards of the hand; untried cards first."""
        visits, results = node
        bound = results / np.maximum(visits, 1)
        bound += self.exploration * np.sqrt(np.log1p(visits.sum()) / np.maximum(visits, 1e-9))
        return int(np.where(mask, bound, -np.inf).argmax())


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=5, help="each in all seat rotations")
    parser.add_argument("--batches", type=int, default=4, help="of 64 sampled games a decision")
    given = parser.parse_args(words)
    config = GameConfig(num_players=4)
    bot = MCTS(config, batches=given.batches)
    share = win_share_against(bot, "greedy", config, given.deals)
    print(
        f"win share against three greedy: {share.value:.2f} ({share.low:.2f} to {share.high:.2f})"
    )


if __name__ == "__main__":
    main()
