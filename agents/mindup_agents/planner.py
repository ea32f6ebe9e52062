"""The bot ``planner``; its formula is in ``heuristics.formulas``."""

from mindup_agents.heuristics.bot import FormulaBot
from mindup_agents.heuristics.formulas import PLANNER


class Planner(FormulaBot):
    """Plays like greedy, but also values later columns, the last card and the next hand and row."""

    _model = PLANNER
