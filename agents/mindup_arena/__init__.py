"""Rank bots with error bars.

Group: measure
Example: mindup arena rank random greedy planner

- ``run``: an arena of several bots; ``command`` is its command line.
- ``settings``, ``schedule``: what is played, and which bots meet.
- ``match``: one match over some deals, also from Python.
- ``bot``, ``failures``: a bot that is measured, and forfeits the games in which it fails;
  ``chunk``: what it plays.
- ``workers``, ``cluster``: chunks in processes of their own, or on a Ray cluster.
- ``arena_folder``: the results in the folder of a run; ``fingerprints``: the code of the bots.
- ``ratings``, ``estimate``, ``report``: the results.
- ``report_files``, ``picture``: the tables of the report, which is written, printed and drawn.
- ``benchmark``: a fixed protocol that gives a bot one score, and the page of its results.
"""

from mindup_arena.benchmark.board_page import write_html
from mindup_arena.estimate import Estimate
from mindup_arena.match import MatchResults, play_match, win_share_against
from mindup_arena.picture import draw
from mindup_arena.report import Report
from mindup_arena.report_files import print_report, write_csv, write_json
from mindup_arena.run import run_arena
from mindup_arena.settings import ArenaSettings

__all__ = [
    "ArenaSettings",
    "Estimate",
    "MatchResults",
    "Report",
    "draw",
    "play_match",
    "print_report",
    "run_arena",
    "win_share_against",
    "write_csv",
    "write_html",
    "write_json",
]
