"""The bot ``greedy``; its formula is in ``heuristics.formulas``."""

from mindup_agents.heuristics.bot import FormulaBot
from mindup_agents.heuristics.formulas import GREEDY


class Greedy(FormulaBot):
    """Plays the card with the highest expected points, against uniformly random opponents."""

    _model = GREEDY
