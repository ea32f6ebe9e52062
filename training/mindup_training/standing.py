"""Where a trained policy stands among the bots of the package, by what each takes from planner."""

import json
from importlib.resources import files

from mindup_arena import Report
from mindup_env.config import GameConfig

_PLANNER = "planner"


def standing(report: Report) -> str | None:
    """A line about the first bot of a report; None where the other bots were not measured.

    The other bots were measured in the published game for four players.
    """
    config, bots = report.settings.config, report.settings.bots
    if config != GameConfig() or _PLANNER not in bots:
        return None
    own = next(each for each in report.cross_table if each.field == bots.index(_PLANNER))
    shares = json.loads((files("mindup_training") / "against_planner.json").read_bytes())
    shares |= {f"{_PLANNER} itself": 100 / config.num_players, "this policy": own.win_share.value}
    ranked = sorted(shares.items(), key=lambda each: each[1])
    return "win share in % against three planner: " + ", ".join(
        f"{name} {share:.1f}" for name, share in ranked
    )
