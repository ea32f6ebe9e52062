"""The tables of docs/why.md, from the reports that ``python -m tools.why`` writes."""

from collections.abc import Iterator, Sequence
from typing import Any

from mindup_env.report import Column
from tools.tables import Row, code, table
from tools.tables.learners import bots_of, learning_curves, over_seeds
from tools.tables.reports import report

SELF_PLAY = GENERIC, STRONG = "ppo", "bidding-1"
"""The learners of docs/why.md: a generic one, and one with the shape of the game."""
GAP = "ppo_20k", GENERIC, "bidding-1_20k", STRONG
_SHARE = Column("share", form="{:.1f}")


def percent(found: Sequence[float]) -> str:
    """A share in per cent with its interval."""
    value, low, high = found
    return _SHARE.with_interval((value, low, high))


@table
def why_size() -> Iterator[Row]:
    hidden = "log10 hidden hands"
    found = report("why/size")
    rounds = [*next(iter(found.values()))[hidden]]
    yield (
        "",
        "decisions of a seat",
        "choices at each",
        "deals",
        *(f"hidden hands in {name}" for name in rounds),
        "information states of a seat",
    )
    for players, each in found.items():
        powers = [each["log10 deals"], *each[hidden].values(), each["log10 information states"]]
        yield (
            players,
            each["decisions"],
            f"{each['choices']:.1f}",
            *(f"10<sup>{power:.0f}</sup>" for power in powers),
        )


@table
def why_luck() -> Iterator[Row]:
    yield "four copies of", "deals", "games of each deal", "explained in %"
    for bot, each in report("why/luck").items():
        yield f"`{bot}`", each["deals"], each["repeats"], percent(each["explained"])


@table
def why_information() -> Iterator[Row]:
    cells: dict[str, dict[str, str]] = {}
    for name, each in report("why/information").items():
        kind, _, round_ = name.partition(", ")
        cells.setdefault(kind, {})[round_] = percent(each["win_share"])
    rounds = max(cells.values(), key=len)
    yield "win share in %, equal play 25.0", *(f"in {name}" for name in rounds)
    for kind, found in cells.items():
        yield f"`search` that {kind}", *map(found.get, rounds)


@table
def why_simultaneity() -> Iterator[Row]:
    yield "one bot", "against three", "win share in %"
    for name, each in report("why/simultaneity").items():
        if "win_share" in each:
            yield *code(name.split(" against ")), percent(each["win_share"])


@table
def why_mixed() -> Iterator[Row]:
    found = report("why/simultaneity")["mixed strategies"]
    yield "in %", *found
    yield "mean probability", *(percent(each["mean"]) for each in found.values())
    yield "decisions with over 90 %", *(percent(each["above 90 %"]) for each in found.values())


@table
def why_learning() -> Iterator[Row]:
    """Two learners by self-play: the mean win shares of the seeds, the lowest and the highest."""
    found = learning_curves()
    bots = bots_of(found)
    yield "win share in %", "seeds", "decisions", *code(bots)
    for learner in GAP:
        seeds = found[learner]
        for points in zip(*seeds, strict=True):
            first, *_ = points
            if first.keys() >= {*bots}:  # only some policies play against the slowest bot
                shares = (over_seeds([point[bot] for point in points]) for bot in bots)
                yield f"`{learner}`", len(seeds), f"{first['decisions']:,}", *shares


@table
def why_cycles() -> Iterator[Row]:
    found = report("why/cycles")["cross table"]
    yield "bot", "mean win share in %", "weight in the Nash average in %", "alpha-rank in %"
    for bot in by_strength(found):
        measures = (found[name][bot] for name in ("means", "nash_weight", "alpha_rank"))
        yield _called(found["bots"][bot]), *map(percent, measures)


@table
def why_top() -> Iterator[Row]:
    """The last policies of long self-play and the bots with higher means against each other."""
    found = report("why/cycles")["cross table"]
    order, names, shares = by_strength(found), found["bots"], found["win_shares"]
    own = ((bot, names[bot].split(", ")) for bot in range(len(names)))
    last = {parts[1]: bot for bot, parts in own if parts[0] == STRONG}  # by seed
    above = order[: min(map(order.index, last.values()))]
    yield "win share in %", *(_called(names[bot]) for bot in above)
    for seed, bot in last.items():
        yield f"one {STRONG}, {seed}", *(percent(shares[bot][other]) for other in above)
        yield f"against three {STRONG}, {seed}", *(percent(shares[other][bot]) for other in above)


def by_strength(cross_table: dict[str, Any]) -> list[int]:
    """The bots of a cross table, those with the highest mean win share first."""
    means = cross_table["means"]
    return sorted(range(len(means)), key=lambda bot: -means[bot][0])


def _called(name: str) -> str:
    return name if ", seed" in name else f"`{name}`"
