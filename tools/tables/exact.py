"""The tables of small games, from docs/results/why/exact.json."""

from collections.abc import Iterator
from typing import Any

from mindup_env.variants import VARIANTS
from tools.tables import Row, code, table
from tools.tables.reports import report

OPPONENT = "greedy"
"""Whose copies the win shares are against."""


def points(game: str) -> dict[str, list[dict[str, Any]]]:
    """What was measured of each player of a game, over its training."""
    return {
        name.removeprefix(f"{game}, "): each["points"]
        for name, each in report("why/exact").items()
        if name.startswith(f"{game}, ") and "points" in each
    }


def is_bot(point: dict[str, Any]) -> bool:
    """Whether it was not learned."""
    return not {"decisions", "iterations"} & point.keys()


@table
def exact_games() -> Iterator[Row]:
    """The small games, and how large they are."""
    yield "game", "players", "rounds", "turns", "cards", "deals", "information states", "ends"
    for name, config in VARIANTS.items():
        found = report("why/exact")[f"{name}, size"]
        sizes = (f"{found[key]:,}" for key in ("deals", "information_states", "ends"))
        counts = config.num_players, config.num_rounds, config.num_turns, config.num_cards
        yield f"`{name}`", *counts, *sizes


@table
def exact_players() -> Iterator[Row]:
    """Every bot, and every learner at its end; the most exploitable in the last game first."""
    yield "exploitability in % (win share)", *code(VARIANTS)
    last = {game: {name: each[-1] for name, each in points(game).items()} for game in VARIANTS}
    in_last_game = {name: point for of_game in last.values() for name, point in of_game.items()}
    order = sorted(in_last_game.items(), key=lambda each: -each[1]["exploitability"])
    for name, point in order:
        title = f"`{name}`" if is_bot(point) else name
        yield title, *(_cell(of_game.get(name)) for of_game in last.values())


def _cell(point: dict[str, Any] | None) -> str | None:
    if point is None:
        return None
    return f"{100 * point['exploitability']:.2f} ({100 * point['win_share'][OPPONENT]:.1f})"
