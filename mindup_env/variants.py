"""Small games with names, in which best responses and equilibria can be computed exactly.

``2p-1t`` has two players and one turn. ``2p-2r`` has two rounds, of one turn and of two: the prizes
of the first are the hands of the second.
"""

from functools import partial

from mindup_env.checks import suggestion
from mindup_env.config import GameConfig

_small = partial(GameConfig, num_rounds=1, hand_size=2, score_order=(2, 4, 1, 5, 3))
VARIANTS = {
    "2p-1t": _small(2, num_cards=7),
    "3p-1t": _small(3, num_cards=10),
    "2p-2t": _small(2, hand_size=3, num_cards=9),
    "2p-2r": _small(2, num_rounds=2, num_cards=8),
}


def game_of(players: int, objectives: int, game: str | None) -> GameConfig:
    """The game of a command with the options ``--players``, ``--objectives`` and ``--game``."""
    if game is None:
        return GameConfig(players, objectives)
    if game not in VARIANTS:
        raise ValueError(f"unknown game {game!r}{suggestion(game, VARIANTS)}")
    usual = GameConfig()
    if (players, objectives) != (usual.num_players, usual.num_objectives):
        raise ValueError(f"the game {game} has its own players and objectives: leave these out")
    return VARIANTS[game]
