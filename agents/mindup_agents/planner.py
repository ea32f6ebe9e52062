"""The bot ``planner``; its formula is in ``heuristics.planner_values``."""

from mindup_agents.heuristics.formulas import FormulaBot
from mindup_agents.heuristics.opponent_model import PLANNER


class Planner(FormulaBot):
    """Plays like greedy, but also values later columns, the last card and the next hand and row."""

    _model = PLANNER
