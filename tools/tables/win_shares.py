"""The tables of win shares of bots, from the reports of the arena in docs/results."""

from collections.abc import Iterator, Sequence

from tools.tables import Row, code, table
from tools.tables.results import OF_RUNS, cells, duel, interval, names, only, report, some

LADDER = [(4, 0), (4, 5), (3, 0), (3, 5), (6, 0), (6, 5)]
"""Numbers of players and of objectives."""
BOTS = ["predictor", "planner", "greedy", "random"]
STRONG = ["search", "champion-1"]
CHAMPION = "champion-2"
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


def _game(players: int, objectives: int) -> str:
    return f"{players} players" + (f", {objectives} objectives" if objectives else "")


def _shares(name: str, fields: Sequence[str]) -> list[str | None]:
    """The win share of the first bot of a report against copies of each of the others."""
    played = cells(name)
    return [duel(played, played[0]["one"], bot) for bot in fields]


@table
def ladder() -> Iterator[Row]:
    """The win share of every bot over all games, at several tables."""
    yield "win share in %", *(_game(*game) for game in LADDER)
    reports = [
        report(f"ladder-{players}p" + (f"-{objectives}-objectives" if objectives else ""))
        for players, objectives in LADDER
    ]
    for name in BOTS:
        yield f"`{name}`", *(interval(only(each["bots"], name=name)) for each in reports)
    yield "equal play", *(f"{100 / players:.1f}" for players, _ in LADDER)


@table
def duels() -> Iterator[Row]:
    """One bot against copies of another, four players."""
    fields = [*STRONG, *BOTS]
    yield "win share in % of one against 3 copies of", *code(fields)
    searches = (f"search-4p-{bot}" for bot in BOTS)
    champions = "champion-4p", "champion-4p-search"
    played = cells("ladder-4p", *searches, "champion-2-4p", *champions)
    for one in [CHAMPION, "champion-1", "search", *BOTS]:
        yield f"`{one}`", *(duel(played, one, field) for field in fields)


@table
def champion_1() -> Iterator[Row]:
    """Champion-1, and policies of other seeds, against copies of each bot."""
    fields = ["search", *BOTS]
    yield "win share in %", "seed", *code(fields)
    for players in (3, 4, 5, 6):
        played = cells(f"champion-{players}p", f"champion-{players}p-search")
        title = f"{players} players, equal {100 / players:.1f}"
        yield title, 0, *(duel(played, "champion-1", bot) for bot in fields)
        for seed in (1, 2):
            yield "", seed, "", *_shares(f"champion-{players}p-seed{seed}", BOTS)


@table
def champion_2() -> Iterator[Row]:
    """Champion-2 against copies of each bot, in each game that it has a report of."""
    fields = [*STRONG, *BOTS]
    yield "win share in %", "equal play", *code(fields)
    games = []
    for name in names():
        if name.startswith(f"{CHAMPION}-"):
            config = report(name)["settings"]["config"]
            games.append((config["num_players"], config["num_objectives"], name))
    for players, objectives, name in sorted(games):
        yield _game(players, objectives), f"{100 / players:.1f}", *_shares(name, fields)


@table
def champion_2_seeds() -> Iterator[Row]:
    """The champions that the recipe makes with several seeds."""
    yield "win share in %, by seed", *code(STRONG)
    yield 0, *_shares(f"{CHAMPION}-4p", STRONG)
    for name in names(f"{CHAMPION}/seeds"):
        yield name.rpartition("-")[2], *_shares(name, STRONG)


@table
def champion_2_ablations() -> Iterator[Row]:
    """Champion-2 with another value of one option, or other networks."""
    yield "win share in %", *code(STRONG)
    yield "the defaults", *_shares(f"{CHAMPION}-4p", STRONG)
    for name in names(f"{CHAMPION}/ablations"):
        option = report(name)["settings"]["bots"][0].removeprefix(f"{CHAMPION}:")
        yield TITLES.get(option, f"`{option}`"), *_shares(name, STRONG)


@table
def champion_2_rivals() -> Iterator[Row]:
    """Champion-2 and other bots, one against three copies, both ways."""
    titles = f"one `{CHAMPION}` against three of it", f"one of it against three `{CHAMPION}`"
    yield "win share in %, equal play 25.0", *titles
    played = cells(f"{CHAMPION}-4p", *names(f"{CHAMPION}/rivals"))
    for cell in some(played, field=CHAMPION):
        rival = cell["one"]
        ways = duel(played, CHAMPION, rival), duel(played, rival, CHAMPION)
        yield TITLES.get(rival, f"`{rival}`"), *ways


@table
def exploits() -> Iterator[Row]:
    """What policies win that were trained against copies of one bot."""
    yield "trained against three copies of", "win share of the policy in %"
    for name in names("exploit"):
        found = report(name)
        yield f"`{found['bot']}`", OF_RUNS.with_interval(OF_RUNS.read(found["win_share"]))
