"""The bot ``greedy``; its formula is in ``heuristics.greedy_values``."""

from mindup_agents.heuristics.formulas import FormulaBot
from mindup_agents.heuristics.opponent_model import GREEDY


class Greedy(FormulaBot):
    """Plays the card with the highest expected points, against uniformly random opponents."""

    _model = GREEDY
