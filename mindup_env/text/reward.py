"""The reward of a seat for a whole game, in the same grammar as the rewards of environments."""

from mindup_env.game import GameView
from mindup_env.rewards import parse_reward, payoffs
from mindup_env.settings.checks import check_int


def game_reward(game: GameView, seat: int, reward: str = "win") -> float:
    """The sum of the rewards that a seat gets over a finished game.

    Args:
        game: a game that is over.
        seat: the seat, from 0.
        reward: a sum of ``score``, ``margin`` and ``win``, such as ``0.1*margin+win``.
    """
    weights = parse_reward(reward)
    check_int("seat", seat, 0, game.config.num_players - 1)
    if not game.over:
        raise ValueError(f"a reward is for a finished game, not for {game!r}")
    return payoffs(game.scores, game.winners, weights)[seat]
