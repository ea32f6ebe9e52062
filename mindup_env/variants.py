"""Small games with names, in which best responses and equilibria can be computed exactly.

``2p-1t`` has two players and one turn. ``2p-2r`` has two rounds, of one turn and of two: the prizes
of the first are the hands of the second.
"""

from functools import partial

from mindup_env.config import GameConfig

_small = partial(GameConfig, num_rounds=1, hand_size=2, score_order=(2, 4, 1, 5, 3))
VARIANTS = {
    "2p-1t": _small(2, num_cards=7),
    "3p-1t": _small(3, num_cards=10),
    "2p-2t": _small(2, hand_size=3, num_cards=9),
    "2p-2r": _small(2, num_rounds=2, num_cards=8),
}
