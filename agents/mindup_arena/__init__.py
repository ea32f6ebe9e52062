"""Rank bots with error bars.

Example: mindup arena random greedy planner

- ``run``: an arena and its command line, and the file of its finished games
- ``settings``: what is played, and which bots meet
- ``match``: one match over some deals, also from Python
- ``play``: bots that can fail
- ``workers``: many tasks in processes or on a Ray cluster
- ``estimate``, ``ratings``, ``report``: the statistics; ``output`` and ``page.html`` show them
- ``benchmark``: fixed games against fixed rivals that give a bot one score, and a page of scores
"""

from mindup_arena.estimate import Estimate
from mindup_arena.match import MatchResults, play_match, win_share_against
from mindup_arena.output import draw, make_figure, print_report, write_html, write_json
from mindup_arena.report import Report
from mindup_arena.run import run_arena
from mindup_arena.settings import ArenaSettings

__all__ = [
    "ArenaSettings",
    "Estimate",
    "MatchResults",
    "Report",
    "draw",
    "make_figure",
    "play_match",
    "print_report",
    "run_arena",
    "win_share_against",
    "write_html",
    "write_json",
]
