"""A board of one run of the arena."""

from pathlib import Path

from mindup_agents.labels import labels
from mindup_arena.deal_statistics import WIN_SHARE
from mindup_arena.estimate import COVERAGE, Estimate
from mindup_arena.leaderboard.board import (
    ALL_GAMES,
    Board,
    BoardBot,
    Cell,
    View,
    interval_text,
    number_text,
)
from mindup_arena.leaderboard.page import write_board
from mindup_arena.report import RATING, Report


def write_html(path: Path, report: Report) -> None:
    """Writes the report as a web page that needs no network.

    Args:
        path: The file to write.
        report: The report of an arena.
    """
    write_board(path, arena_board(report))


def arena_board(report: Report) -> Board:
    """The board of a report: ratings, and the win shares of one bot against copies of another."""
    settings = report.settings
    names, config = labels(settings.display_names), settings.config
    equal = 100 / config.num_players
    cells = {
        (duel.one, duel.field): Cell(duel.win_share, _heat(duel.win_share.value, equal))
        for duel in report.cross_table
    }
    bots = range(len(names))
    rivals = [bot for bot in report.ranking if any(field == bot for _, field in cells)]
    return Board(
        title="Mind Up! arena",
        note=(
            f"{config.num_players} players, {config.num_objectives} objectives: "
            f"{settings.deals:,} deals in all seat rotations, {report.num_games:,} games."
        ),
        measure=(
            RATING,
            f"400 points more mean ten times the strength; with {COVERAGE} % intervals over deals",
        ),
        score_format="{:+.0f}",
        cell_title=f"Win share in % against copies of each rival, {equal:.3g} for equal play",
        cell_format="{:.1f}",
        bots=[_bot(report, bot, name) for bot, name in enumerate(names)],
        rivals=[names[bot] for bot in rivals],
        views=[
            View(
                ALL_GAMES,
                [report.bots[bot][RATING] for bot in bots],
                [[cells.get((bot, rival)) for rival in rivals] for bot in bots],
            )
        ],
    )


def _heat(share: float, equal: float) -> float:
    return (share - equal) / (100 - equal if share > equal else equal)


def _bot(report: Report, bot: int, name: str) -> BoardBot:
    measures = report.bots[bot]
    facts = [
        ("bot", report.settings.bots[bot]),
        ("win share in %", _text(measures[WIN_SHARE], "{:.1f}")),
        ("score", _text(measures["mean_score"], "{:.1f}")),
        ("rank", _text(measures["mean_rank"], "{:.2f}")),
        ("margin", _text(measures["margin"], "{:+.1f}")),
    ]
    return BoardBot(name, report.times[bot].speed, report.games_forfeited(bot), facts)


def _text(estimate: Estimate, number_format: str) -> str:
    interval = interval_text(estimate, number_format)
    return number_text(estimate.value, number_format) + (f" ({interval})" if interval else "")
