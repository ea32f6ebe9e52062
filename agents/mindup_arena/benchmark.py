"""Give a bot one score, by fixed games against fixed rivals, and show scores on a page.

Example: mindup benchmark run mybot:Bot --size small --json mybot.json
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Literal, Self

import numpy as np
import tyro

from mindup_agents.labels import label
from mindup_agents.policy import full_spec
from mindup_agents.weights import hash_bots
from mindup_arena.estimate import COVERAGE, Estimate, Floats, student_quantile
from mindup_arena.output import Table, draw_bars, html_page, open_figure, print_table, text_of
from mindup_arena.play import Forfeits
from mindup_arena.run import FORFEITED, File, Folder, run_arena
from mindup_arena.settings import ArenaSettings
from mindup_env import GameConfig
from mindup_env.checks import InputError, check_array, check_entries, check_int, require, shown
from mindup_env.files import check_writable, content_errors_name, read_json, write_plain, write_text

NAME = "mindup-bench-v0"  # other games get the next version
SEEDS = {
    3: (565580947, 4036872376),
    4: (3571775562, 812118700),
    5: (2596990621, 3582249196),
    6: (3036663269, 2047418665),
}
"""By the number of players, the seeds of the deals and of the bots' bits.

The games have no objectives: ``self-play`` has not learned them."""
_BOTS = "random", "greedy", "planner", "predictor", "self-play", "search", "champion"
RIVALS = {name: name for name in _BOTS}
"""The specs of the rivals by name."""
# Each copy draws a bot for each game: to exploit copies of one rival gains little.
RIVALS["mixed"] = f"mixture:{'+'.join(_BOTS)}"
SIZES = {"small": 4, "full": 80}
"""Deals of each match."""
_CHUNK_DEALS = 10  # so few that chunks spread over workers
BEST = 100.0
MEANING = f"0 is equal play, 100 wins every game; with {COVERAGE} % intervals over deals."
_LONGEST_NAME = 60


@dataclass(frozen=True)
class BenchmarkResult:
    """The result of a bot, with all that its score follows from."""

    bot: str
    name: str  # to show; it can be changed in the file
    size: str
    players: int | None  # of the only games that were played
    games_forfeited: int
    first_failure: str  # where and why, if it failed
    rivals: str  # a hash of their specs and weights
    win_shares: Mapping[str, Mapping[str, Sequence[float]]]  # of deals, by players and rival

    def score(self, players: int | None = None, rival: str | None = None) -> Estimate:
        """The mean over games, with these players or all, and over rivals, or one."""
        if rival is not None and RIVALS[rival] == self.bot:
            return Estimate(0.0, math.nan, math.nan)  # known, not estimated
        numbers = tables_of_size(players or self.players)
        rivals = RIVALS if rival is None else [rival]
        shares = []
        for number in numbers:
            played = self.win_shares[str(number)]
            equal = [1 / number] * SIZES[self.size]  # against copies of the bot itself
            shares.append(np.array([played.get(name, equal) for name in rivals]))
        return estimate_score(shares, numbers)

    def of_size(self, size: str) -> Self:
        """Over the first deals alone, which are those of a smaller size."""
        shares = {
            players: {rival: each[: SIZES[size]] for rival, each in of_rivals.items()}
            for players, of_rivals in self.win_shares.items()
        }
        return replace(self, size=size, win_shares=shares)


def tables_of_size(players: int | None) -> list[int]:
    """The numbers of players: one, or all."""
    if players not in (None, *SEEDS):
        raise InputError(f"players must be {min(SEEDS)} to {max(SEEDS)}, not {shown(players)}")
    return [*SEEDS] if players is None else [players]


def estimate_score(win_shares: Sequence[Floats], players: Sequence[int]) -> Estimate:
    """The score over games with win shares (rivals, deals) and players.

    0 is equal play, 100 wins every game: the win share w of one bot among P players counts as
    (w - 1/P) / (1 - 1/P), so that tables of every size weigh the same.

    The unit is the deal, because all rivals are met with the same ones. Each game has a variance of
    its own. No spread between few deals does not prove that there is none: they count as if at
    least one of their results had been another.
    """
    means = []
    variances = []
    for shares, num_players in zip(win_shares, players, strict=True):
        num_rivals, num_deals = shares.shape
        scores = BEST * (shares.mean(axis=0) * num_players - 1) / (num_players - 1)  # (deals,)
        # One victory more in one rotation against one rival.
        step = BEST / (num_players - 1) / num_rivals
        means.append(scores.mean())
        variances.append(max(scores.var(ddof=1) / num_deals, (step / num_deals) ** 2))
    value = float(np.mean(means))
    error = np.sqrt(np.sum(variances))
    freedom = sum(shares.shape[1] - 1 for shares in win_shares)
    half = float(student_quantile(freedom) * error / len(means))
    lowest = float(np.mean([-BEST / (number - 1) for number in players]))
    return Estimate(value, max(value - half, lowest), min(value + half, BEST))


@dataclass(frozen=True)
class BenchmarkSettings:
    """What is played, and how."""

    bot: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="BOT")]]
    """a name, name:option=value,... or module:Class; {players} stands for their number"""
    size: Literal["small", "full"] = "full"
    """small plays 576 games, the first of the 11,520 of full"""
    players: int | None = None
    """play only the games with this number, for a bot that plays no others"""
    forfeit: tyro.conf.FlagCreatePairsOff[bool] = False
    """a bot that fails forfeits these games, as in an arena; otherwise it ends the run"""
    time_limit: float = 0.0
    """seconds for a call of a bot, from its second on; a longer one ends the run (0: no limit)"""


def run_benchmark(
    settings: BenchmarkSettings, *, workers: int = 1, folder: Path | None = None
) -> BenchmarkResult:
    """Plays the games; ``workers`` and ``folder`` are those of ``run_arena``."""
    bot = full_spec(settings.bot)
    names = {spec: name for name, spec in RIVALS.items()}
    name = names.pop(bot, label(bot)[:_LONGEST_NAME])
    arenas = {}
    for number in tables_of_size(settings.players):
        arenas[number] = ArenaSettings(
            (bot.replace("{players}", str(number)),),
            GameConfig(number),
            SIZES[settings.size],
            *SEEDS[number],
            tuple(names),
            settings.forfeit,
            settings.time_limit,
            _CHUNK_DEALS,
        )
        arenas[number].check()  # before the first game
    win_shares = {}
    games, failure = 0, ""
    for number, arena in arenas.items():
        kept = folder and folder / f"{number}-players"
        report = run_arena(arena, workers=workers, folder=kept)
        duels = enumerate(names.values(), start=1)
        win_shares[str(number)] = {rival: report.duel_shares[0, at].tolist() for at, rival in duels}
        lost = report.forfeits.get(0, Forfeits(0, ""))
        games, failure = games + lost.games, failure or lost.first
    about = bot, name, settings.size, settings.players, games, failure, hash_bots(RIVALS)
    return BenchmarkResult(*about, win_shares)


def write_result(path: Path, result: BenchmarkResult) -> None:
    """Writes a result as JSON; its score is for readers of the file."""
    write_plain(path, {"benchmark": NAME, "score": result.score()._asdict(), **asdict(result)})


def read_result(path: Path) -> BenchmarkResult:
    """Reads a result; raises ValueError if it is none of the benchmark."""
    plain = read_json(path)
    with content_errors_name(path):
        entries = [each.name for each in fields(BenchmarkResult)]
        check_entries("a result", plain, ("benchmark", "score", *entries))
        result = BenchmarkResult(**{name: plain[name] for name in entries})
        name = result.name if isinstance(result.name, str) else ""
        if not (name.isprintable() and 0 < len(name) <= _LONGEST_NAME):
            raise InputError(f"name must be a text of 1 to {_LONGEST_NAME} printable characters")
        if plain["benchmark"] != NAME or result.size not in [*SIZES]:
            raise InputError(f"benchmark must be {NAME}, and size {' or '.join(SIZES)}")
        check_int("games_forfeited", result.games_forfeited, 0)
        return replace(result, win_shares=_checked_shares(result))


def _checked_shares(result: BenchmarkResult) -> dict[str, dict[str, Sequence[float]]]:
    """The win shares in a file, without those of the bot against itself: that match counts 0."""
    numbers = [str(number) for number in tables_of_size(result.players)]
    check_entries("win_shares", result.win_shares, numbers)
    rivals = [rival for rival, spec in RIVALS.items() if spec != result.bot]
    checked: dict[str, dict[str, Sequence[float]]] = {number: {} for number in numbers}
    for number in numbers:
        given = result.win_shares[number]
        check_entries(f"win_shares for {number} players", given, rivals, {*RIVALS} - {*rivals})
        for rival in rivals:
            name = f"win_shares for {number} players and {rival}"
            shares = check_array(name, given[rival], (SIZES[result.size],), kind="numbers")
            if not ((shares >= 0) & (shares <= 1)).all():  # nor is NaN
                raise InputError(f"{name} must be from 0 to 1")
            checked[number][rival] = shares.tolist()
    return checked


def read_board(paths: Sequence[Path]) -> list[BenchmarkResult]:
    """Results by score, the best first, over the deals that all of them have."""
    results = [read_result(path) for path in paths]
    if not results:
        raise InputError("no result to show: name files of mindup benchmark run --json")
    for path, result in zip(paths, results, strict=True):
        for what in ("players", "rivals"):
            found, first = getattr(result, what), getattr(results[0], what)
            if found != first:
                differ = f"{what} is {shown(found)} and {shown(first)}"
                raise InputError(f"{path} and {paths[0]} cannot be compared: {differ}")
        if sum(each.name == result.name for each in results) > 1:
            raise InputError(f"two results have the name {shown(result.name)}: change it in a file")
    size = min((each.size for each in results), key=lambda each: SIZES[each])
    results = [each.of_size(size) for each in results]
    return sorted(results, key=lambda each: -each.score().value)


def run(
    settings: tyro.conf.OmitArgPrefixes[BenchmarkSettings],
    workers: int = 1,
    out: Folder = None,
    json: File = None,
) -> int:
    """Play the fixed benchmark, which gives a bot one score that others can compare with.

    Args:
        settings: the bot and the games
        workers: processes that play
        out: folder that keeps finished games; the same command continues there
        json: write the result, for mindup benchmark board
    """
    require("mindup benchmark run", "arena", "rich", "scipy")
    from rich.console import Console  # noqa: PLC0415  # an extra

    if json is not None:
        check_writable(json)
    result = run_benchmark(settings, workers=workers, folder=out)
    score, low, high = result.score()
    console = Console(highlight=False, markup=False)
    console.print(
        f"{result.name}: score {score:.1f} ({low:.1f} to {high:.1f}), {NAME}, {settings.size}"
    )
    for table in tables_of([result]):
        print_table(table, console)
    console.print(MEANING, style="dim")
    if result.first_failure:
        text = f"{result.games_forfeited} games forfeited, first in {result.first_failure}"
        console.print(text, style="red")
    if json is not None:
        write_result(json, result)
    return FORFEITED if result.first_failure else 0


def board(
    results: tyro.conf.Positional[Annotated[tuple[Path, ...], tyro.conf.arg(metavar="RESULT...")]],
    html: Path,
) -> int:
    """Write a web page that ranks results of the benchmark.

    Args:
        results: files of mindup benchmark run --json
        html: the page to write
    """
    require("mindup benchmark board", "arena", "jinja2", "matplotlib", "scipy")
    check_writable(html)
    ranked = read_board(results)
    write_text(html, board_page(ranked))
    print(f"{html} shows {', '.join(each.name for each in ranked)}")
    return 0


def tables_of(ranked: Sequence[BenchmarkResult]) -> list[Table]:
    """The scores, and those against each rival."""
    numbers = tables_of_size(ranked[0].players)
    head = ["", "score", *(f"with {number}\nplayers" for number in numbers)]
    ranking = []
    for each in ranked:
        scores = [each.score(), *map(each.score, numbers)]
        ranking.append([each.name, *(text_of(score, "{:.1f}") for score in scores)])
    if any(each.games_forfeited for each in ranked):
        head.append("games\nforfeited")
        for row, each in zip(ranking, ranked, strict=True):
            row.append(f"{each.games_forfeited:,}")
    duels = []
    for rival in RIVALS:
        scores = [each.score(rival=rival) for each in ranked]
        duels.append([rival, *(text_of(score, "{:.0f}") for score in scores)])
    names = ["", *(each.name for each in ranked)]
    against = Table("Scores against copies of each rival", names, duels)
    return [Table("Scores", head, ranking), against]


def board_page(ranked: Sequence[BenchmarkResult]) -> str:
    """The page of some results, the best first."""
    played = f"{NAME}, size {ranked[0].size}: every deal in all seat rotations. {MEANING}"
    figure = open_figure(8, 1.2 + 0.5 * len(ranked), "score, with its interval")
    axes = figure.subplots()
    draw_bars(axes, range(len(ranked)), [each.score() for each in ranked], "{:.1f}")
    axes.set_yticks(range(len(ranked)), [each.name for each in ranked], parse_math=False)
    axes.invert_yaxis()
    return html_page("Mind Up! leaderboard", [played], tables_of(ranked), figure)


def main(words: Sequence[str]) -> int:
    """Runs ``mindup benchmark run`` or ``mindup benchmark board``."""
    commands: dict[str, Callable[..., int]] = {"run": run, "board": board}
    return tyro.extras.subcommand_cli_from_dict(commands, prog="mindup benchmark", args=words)
