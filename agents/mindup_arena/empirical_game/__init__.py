"""The game in which each player chooses a bot: who beats whom, where no order of bots says it all.

Its payoffs are the cross table of an arena. Ratings put bots on a line, and depend on how many weak
bots there are. Here only those opponents count that a good mixture of bots contains.

- ``nash_average``: the Nash average of Balduzzi et al. (2018).
- ``alpha_rank``: alpha-rank of Omidshafiei et al. (2019), computed by OpenSpiel.
- ``measures``: both as measures of the bots, with intervals.
"""

from mindup_arena.empirical_game.alpha_rank import HOW_TO_GET_ALPHA_RANK, has_alpha_rank
from mindup_arena.empirical_game.measures import GAME_MEASURES, game_measures

__all__ = ["GAME_MEASURES", "HOW_TO_GET_ALPHA_RANK", "game_measures", "has_alpha_rank"]
