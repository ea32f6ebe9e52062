"""How a person did in finished games, by kind of table."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import Any

from mindup_play.session import PlayedGame
from mindup_play.settings import short_name


def results(games: Sequence[PlayedGame]) -> list[dict[str, Any]]:
    """Win share, mean place and mean cost of choices; the kind with the most games comes first."""
    kinds: dict[tuple[Any, ...], list[PlayedGame]] = {}
    for game in games:
        bots = tuple(sorted({*map(short_name, game.settings.bots.values())}))
        kinds.setdefault((game.settings.players, game.settings.objectives, bots), []).append(game)
    found: list[dict[str, Any]] = []
    for (players, objectives, bots), played in kinds.items():
        share = fmean(game.win_share for game in played)
        costs = [game.cost for game in played if game.cost is not None]
        found.append(
            {
                "players": players,
                "objectives": objectives,
                "bots": list(bots),
                "games": len(played),
                "win_share": share,
                "interval": interval(share, len(played)),
                "place": fmean(game.place for game in played),
                "cost": fmean(costs) if costs else None,
            }
        )
    return sorted(found, key=lambda kind: -kind["games"])


def interval(share: float, games: int) -> list[float]:
    """The 95 % interval of a win share by Wilson's formula, which holds for a few games too."""
    z = 1.96 / sqrt(games)
    middle = share + z * z / 2
    half = z * sqrt(share * (1 - share) + z * z / 4)
    return [(middle - half) / (1 + z * z), (middle + half) / (1 + z * z)]
