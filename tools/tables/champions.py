"""The tables of the champions, from their reports."""

from tools.tables.markdown import table
from tools.tables.results import BOTS, champion_1_cells, duel, names, report

PLAYERS = [3, 4, 5, 6]
OTHER_SEEDS = [1, 2]
CHAMPION = "champion-2"
STRONG = ["search", "champion-1"]
TRAINED = {"policy:runs/quick-4p-seed0/policy.safetensors": "`mindup train --objectives 0 3`"}
"""Policies that the package does not have, and the command that trains them."""


def champion_1() -> str:
    """Champion-1, and policies of other seeds, against copies of each bot."""
    rows = []
    for players in PLAYERS:
        cells = champion_1_cells(f"champion-{players}p", f"champion-{players}p-search")
        title = f"{players} players, equal {100 / players:.1f}"
        rows.append([title, "0", *(duel(cells, "champion-1", bot) for bot in ["search", *BOTS])])
        rows += [
            ["", f"{seed}", "", *_shares(f"champion-{players}p-seed{seed}", BOTS)]
            for seed in OTHER_SEEDS
        ]
    return table(["win share in %", "seed", *_code(["search", *BOTS])], rows)


def champion_2() -> str:
    """Champion-2 against copies of each bot, in each game that it has a report of."""
    games = []
    for name in names():
        if name.startswith(f"{CHAMPION}-"):
            config = report(name)["settings"]["config"]
            games.append((config["num_players"], config["num_objectives"], name))
    rows = []
    for players, objectives, name in sorted(games):
        title = f"{players} players" + (f", {objectives} objectives" if objectives else "")
        rows.append([title, f"{100 / players:.1f}", *_shares(name, [*STRONG, *BOTS])])
    return table(["win share in %", "equal play", *_code([*STRONG, *BOTS])], rows)


def champion_2_ablations() -> str:
    """Champion-2 with another value of one option."""
    found = {"the defaults": f"{CHAMPION}-4p"}
    for name in names(f"{CHAMPION}/ablations"):
        options = report(name)["settings"]["bots"][0].removeprefix(f"{CHAMPION}:")
        found[f"`{options}`"] = name
    rows = [[title, *_shares(name, STRONG)] for title, name in found.items()]
    return table(["win share in %", *_code(STRONG)], rows)


def champion_2_rivals() -> str:
    """Champion-2 and other bots, one against three copies, both ways."""
    played = [cell for name in names(f"{CHAMPION}/rivals") for cell in report(name)["cross_table"]]
    rivals = [cell["one"] for cell in played if cell["field"] == CHAMPION]
    rows = [
        [
            TRAINED.get(rival, f"`{rival}`"),
            duel(played, CHAMPION, rival),
            duel(played, rival, CHAMPION),
        ]
        for rival in rivals
    ]
    titles = [f"one `{CHAMPION}` against three of it", f"one of it against three `{CHAMPION}`"]
    return table(["win share in %, equal play 25.0", *titles], rows)


def _shares(name: str, fields: list[str]) -> list[str]:
    """The win share of the first bot of a report against copies of each of the others."""
    found = report(name)
    return [duel(found["cross_table"], found["cross_table"][0]["one"], bot) for bot in fields]


def _code(bots: list[str]) -> list[str]:
    return [f"`{bot}`" for bot in bots]
