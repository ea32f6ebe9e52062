"""The declared parts of the full state: all hands, and all that is public."""

from functools import lru_cache

from mindup_env.config import GameConfig
from mindup_env.observation.layout import count_blocks, player_parts, table_parts
from mindup_env.observation.vector_layout import LayoutPart, VectorLayout


class StateLayout(VectorLayout):
    """The places of the parts of the full state, for one config.

    The parts are those of an observation, with the hands of all players instead of the viewer's.
    Players are counted from seat 0, or, in the state of a seat, from this seat.

    Args:
        config: the rules of the game.
        pad_to_players: the number of players of a padded layout, as in ``Layout``.
    """

    _vector = "a state"

    def __init__(self, config: GameConfig, pad_to_players: int | None = None) -> None:
        num_blocks = count_blocks(config, pad_to_players)
        shape = num_blocks, config.num_cards
        hands = LayoutPart("hands", shape, 0, 1, "1 for each card in the hand of each player")
        _hand, *public = table_parts(config, pad_to_players)
        super().__init__(config, num_blocks, (hands, *public), player_parts(config))


state_layout_of = lru_cache(StateLayout)
