"""The tables of win shares of bots, from the reports of the arena in docs/results."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from statistics import fmean

from mindup_env.config import GameConfig
from tools.tables import Row, code, table
from tools.tables.reports import (
    interval,
    interval_of_runs,
    names,
    only,
    report,
    shares_between,
)

LADDER = [(4, 0), (4, 5), (3, 0), (3, 5), (6, 0), (6, 5)]
"""Numbers of players and of objectives."""
BOTS = ["predictor", "planner", "greedy", "random"]
STRONG = ["search", "champion-1"]
CHAMPIONS = ["champion-3", "champion-2", "champion-1"]
EXPLOITED = ["champion-3", "champion-2", *STRONG, *BOTS]
"""The bots whose strongest known responses are shown."""
DUELS = ["ladder-4p", "search-4p", *(f"{champion}/games/4p" for champion in CHAMPIONS)]
"""The reports with one bot against three copies of another."""
TRAININGS = {
    "quick": "`make train`",
    "longer": "longer, against bots",
    "self-play": "self-play alone",
}
"""Those of the network bidding-1, as docs/results.md explains them."""
TITLES = {
    "policy:runs/4_players-4p-seed1/policy.safetensors": "`champion-1` trained with seed 1",
    "policy:runs/quick-4p-seed0/policy.safetensors": "`mindup train --preset forecast "
    "--objectives 0 3`",
    "policy:runs/ppo-4p-seed0/policy.safetensors": "self-play, `mindup_training.ppo`",
    "networks=runs/without-cards": "without `card:`, `card played:`, `card kept:`",
    "networks=runs/without-opponents": "without `opponents:`",
    "networks=runs/without-prizes": "without `prizes:`",
    "networks=runs/without-scores": "without the scores: `table: estimated win probabilities`, "
    "`own:` and `opponents: lead in points`, `own:` and `opponents: points of this round`",
}
"""What files are that the package does not have."""


def _title(bot: str) -> str:
    return TITLES.get(bot, f"`{bot}`")


def _game(players: int, objectives: int) -> str:
    return f"{players} players" + (f", {objectives} objectives" if objectives else "")


def _against(one: str, fields: Iterable[str], *reports: str) -> list[str | None]:
    """The win share of a bot against copies of each of the others; None if they did not play."""
    found = shares_between(*reports)
    return [found.get((one, field)) for field in fields]


def _of_first(name: str, fields: Iterable[str]) -> list[str | None]:
    """The same of the first bot of a report."""
    return _against(report(name)["cross_table"][0]["one"], fields, name)


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
    fields = ["champion-2", *STRONG, *BOTS]
    yield "win share in % of one against 3 copies of", *code(fields)
    for one in [*CHAMPIONS, "search", *BOTS]:
        yield f"`{one}`", *_against(one, fields, *DUELS)


def against_planner() -> str:
    """The win share in percent of each bot against three planner, for ``mindup train``."""
    found = {name: _against(name, ["planner"], *DUELS)[0] for name in [*BOTS, "search", *CHAMPIONS]}
    found["a training of 2,000,000 decisions"] = _of_first("bidding/longer-seed0", ["planner"])[0]
    shares = {name: _number(share) for name, share in found.items() if share}
    return json.dumps(dict(sorted(shares.items(), key=lambda each: each[1])), indent=2) + "\n"


@table
def bidding() -> Iterator[Row]:
    """Policies of the network bidding-1 against copies of each bot."""
    fields = [*reversed(BOTS), "champion-1"]
    yield "win share in %", "seed", *code(fields)
    for training, title in TRAININGS.items():
        for seed, name in enumerate(names(f"bidding/{training}-seed")):
            yield "" if seed else title, seed, *_of_first(name, fields)


@table
def bidding_ablation() -> Iterator[Row]:
    """What each part of bidding-1 and its training adds: means, lowest and highest of the seeds."""
    found = report("bidding-ablation")
    bots = [*reversed(BOTS[1:])]
    yield "win share in %", *code(bots)
    for title, seeds in found.items():
        shares = ([of_seed[bot] for of_seed in seeds.values()] for bot in bots)
        yield title, *(f"{fmean(each):.1f} ({min(each):.1f} to {max(each):.1f})" for each in shares)


def _in_each_game(start: str, fields: Iterable[str]) -> Iterator[Row]:
    """The first bot of each report that begins so against copies of the others, by game."""
    yield "win share in %", "equal play", *code(fields)
    configs = {name: report(name)["settings"]["config"] for name in names(start)}
    games = ((each["num_players"], each["num_objectives"], name) for name, each in configs.items())
    for players, objectives, name in sorted(games):
        yield _game(players, objectives), f"{100 / players:.1f}", *_of_first(name, fields)


table(partial(_in_each_game, "champion-1/games/", ["search", *BOTS]), "champion_1")
table(partial(_in_each_game, "champion-2/games/", [*STRONG, *BOTS]), "champion_2")
table(partial(_in_each_game, "champion-3/games/", ["champion-2", *STRONG, *BOTS]), "champion_3")


@table
def champion_alone() -> Iterator[Row]:
    """The policy networks of the champions without sampled games."""
    fields = [*STRONG, *BOTS]
    yield "win share in %", *code(fields)
    for name in [*names("champion-3/alone"), "champion-2/ablations/worlds-0"]:
        yield f"`{report(name)['settings']['bots'][0]}`", *_of_first(name, fields)


@table
def champion_2_seeds() -> Iterator[Row]:
    """The champions that the recipe makes with several seeds."""
    yield "win share in %, by seed", *code(STRONG)
    for name in ["champion-2/games/4p", *names("champion-2/seeds")]:
        yield name.rpartition("seed-")[2] if "seed-" in name else 0, *_of_first(name, STRONG)


@table
def champion_2_ablations() -> Iterator[Row]:
    """Champion-2 with another value of one option, or other networks."""
    yield "win share in %", *code(STRONG)
    for name in ["champion-2/games/4p", *names("champion-2/ablations")]:
        option = report(name)["settings"]["bots"][0].removeprefix("champion-2").removeprefix(":")
        yield _title(option) if option else "the defaults", *_of_first(name, STRONG)


def _rivals(champion: str) -> Iterator[Row]:
    """A champion and other bots, one against three copies, both ways."""
    titles = f"one `{champion}` against three of it", f"one of it against three `{champion}`"
    yield "win share in %, equal play 25.0", *titles
    found = shares_between(f"{champion}/games/4p", *names(f"{champion}/rivals"))
    for rival, field in found:
        if field == champion:
            yield _title(rival), found.get((champion, rival)), found[rival, champion]


table(partial(_rivals, "champion-2"), "champion_2_rivals")
table(partial(_rivals, "champion-3"), "champion_3_rivals")


@table
def exploits() -> Iterator[Row]:
    """What wins most against copies of each bot: one of the package, or a trained policy."""
    yield "three copies of", "strongest known response", "its win share in %", "trained policy"
    policies = map(report, names("exploit/"))
    trained = {found["bot"]: interval_of_runs(found["win_share"]) for found in policies}
    duels = shares_between(*filter(_is_usual_game, names()))
    for bot in EXPLOITED:
        responses = {
            _title(one): share
            for (one, field), share in duels.items()
            if field == bot and "runs/" not in one  # the package has no such file
        }
        if bot in trained:
            responses["the trained policy"] = trained[bot]
        best = max(responses, key=lambda name: _number(responses[name]))
        yield f"`{bot}`", best, responses[best], trained.get(bot)


def _is_usual_game(name: str) -> bool:
    """Whether a report has duels of four players without objectives."""
    found = report(name)
    return (
        "cross_table" in found and GameConfig.from_dict(found["settings"]["config"]) == GameConfig()
    )


def _number(share: str) -> float:
    """A win share without its interval."""
    return float(share.split(maxsplit=1)[0])
