"""The tables of docs/benchmark.md, from the protocol and from the results in docs/results."""

import json
from importlib.metadata import entry_points
from pathlib import Path

from mindup_arena.benchmark.protocol import LATEST, PROTOCOLS
from mindup_arena.benchmark.result import BenchmarkResult
from mindup_arena.benchmark.result_file import read_result
from mindup_env.agent import AGENTS
from mindup_env.report import markdown_table
from tools.tables.results import RESULTS

_PROTOCOL = PROTOCOLS[LATEST]
_OTHER = "mybot:Bot"


def results() -> list[Path]:
    """The results of the project's leaderboard."""
    return sorted((RESULTS / "benchmark").glob("*.json"))


def games() -> str:
    rows = [[str(number) for number in game] for game in _PROTOCOL.games]
    return markdown_table(
        ["players", "objectives", "seed of the deals", "seed of the bots' bits"], rows
    )


def panel() -> str:
    rows = [[f"`{name}`", f"`{spec}`"] for name, spec in _PROTOCOL.panel.items()]
    return markdown_table(["rival", "with these options"], rows)


def sizes() -> str:
    turns = _PROTOCOL.games[0].config.num_turns
    rows = []
    for name, size in _PROTOCOL.sizes.items():
        count = _PROTOCOL.count_games(_OTHER, name)
        rows.append([f"`{name}`", f"{size.deals}", f"{count:,}", f"{count * turns:,}"])
    return markdown_table(["size", "deals of each match", "games", "decisions of your bot"], rows)


def leaderboard() -> str:
    """The scores of the project's bots and policies, the best first."""
    rows = []
    for result in _ranked():
        value, low, high = result.score
        speed = result.decisions_per_second
        rows.append(
            [
                f"`{result.settings.name}`",
                f"{value:.1f} ({low:.1f} to {high:.1f})",
                result.settings.size,
                "" if speed is None else f"{speed:,.3g}" if speed < 10 else f"{speed:,.0f}",
            ]
        )
    return markdown_table(["bot", "score", "size", "decisions/s"], rows)


def bot_scores() -> str:
    """The scores that the new-game screen of ``mindup play`` shows: those of registered bots."""
    registered = entry_points(group=AGENTS).names
    scores = {
        result.settings.name: round(result.score.value, 1)
        for result in _ranked()
        if result.settings.name in registered
    }
    return json.dumps(scores, indent=2) + "\n"


def _ranked() -> list[BenchmarkResult]:
    """The results of the project's leaderboard, the best first."""
    return sorted(map(read_result, results()), key=lambda result: -result.score.value)
