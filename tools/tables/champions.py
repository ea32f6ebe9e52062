"""The tables of the champions, from their reports."""

from mindup_env.report import markdown_table
from tools.tables.results import BOTS, OF_RUNS, champion_1_cells, duel, names, report

PLAYERS = [3, 4, 5, 6]
OTHER_SEEDS = [1, 2]
CHAMPION = "champion-2"
STRONG = ["search", "champion-1"]
TITLES = {
    "policy:runs/4_players-4p-seed1/policy.safetensors": "`champion-1` trained with seed 1",
    "policy:runs/quick-4p-seed0/policy.safetensors": "`mindup train --objectives 0 3`",
    "policy:runs/ppo-4p-seed0/policy.safetensors": "self-play, `mindup_training.ppo`",
    "networks=runs/without-cards": "without `card:`, `card played:`, `card kept:`",
    "networks=runs/without-opponents": "without `opponents:`",
    "networks=runs/without-prizes": "without `prizes:`",
    "networks=runs/without-scores": "without the scores: `table: estimated win probabilities`, "
    "`own:` and `opponents: lead in points`, `own:` and `opponents: points of this round`",
}
"""What files are that the package does not have."""


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
    return markdown_table(["win share in %", "seed", *_code(["search", *BOTS])], rows)


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
    return markdown_table(["win share in %", "equal play", *_code([*STRONG, *BOTS])], rows)


def champion_2_seeds() -> str:
    """The champions that the recipe makes with several seeds."""
    found = {"0": f"{CHAMPION}-4p"}
    found |= {name.rpartition("-")[2]: name for name in names(f"{CHAMPION}/seeds")}
    rows = [[seed, *_shares(name, STRONG)] for seed, name in found.items()]
    return markdown_table(["win share in %, by seed", *_code(STRONG)], rows)


def champion_2_ablations() -> str:
    """Champion-2 with another value of one option, or other networks."""
    found = {"the defaults": f"{CHAMPION}-4p"}
    for name in names(f"{CHAMPION}/ablations"):
        option = report(name)["settings"]["bots"][0].removeprefix(f"{CHAMPION}:")
        found[TITLES.get(option, f"`{option}`")] = name
    rows = [[title, *_shares(name, STRONG)] for title, name in found.items()]
    return markdown_table(["win share in %", *_code(STRONG)], rows)


def champion_2_rivals() -> str:
    """Champion-2 and other bots, one against three copies, both ways."""
    reports = [f"{CHAMPION}-4p", *names(f"{CHAMPION}/rivals")]
    played = [cell for name in reports for cell in report(name)["cross_table"]]
    rivals = [cell["one"] for cell in played if cell["field"] == CHAMPION]
    rows = [
        [
            TITLES.get(rival, f"`{rival}`"),
            duel(played, CHAMPION, rival),
            duel(played, rival, CHAMPION),
        ]
        for rival in rivals
    ]
    titles = [f"one `{CHAMPION}` against three of it", f"one of it against three `{CHAMPION}`"]
    return markdown_table(["win share in %, equal play 25.0", *titles], rows)


def exploits() -> str:
    """What policies win that were trained against copies of one bot."""
    rows = []
    for name in names("exploit"):
        found = report(name)
        share = OF_RUNS.with_interval(OF_RUNS.read(found["win_share"]))
        rows.append([f"`{found['bot']}`", share])
    return markdown_table(["trained against three copies of", "win share of the policy in %"], rows)


def _shares(name: str, fields: list[str]) -> list[str]:
    """The win share of the first bot of a report against copies of each of the others."""
    found = report(name)
    return [duel(found["cross_table"], found["cross_table"][0]["one"], bot) for bot in fields]


def _code(bots: list[str]) -> list[str]:
    return [f"`{bot}`" for bot in bots]
