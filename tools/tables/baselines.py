"""The tables of learners compared, from the reports in docs/results/baselines."""

from collections.abc import Iterator
from typing import Any

from mindup_env.report import Column
from tools.tables import Row, code, table
from tools.tables.reports import interval_of_runs, names, only, report

STUDIES = LEARNERS, GAMES, TABLES = "learners", "games", "tables"
"""The files of entries in tools/baselines, and their reports."""
BEST_RESPONSES = "best_responses"
PROBABILITY = Column("value", form="{:.2f}", ends=("low", "high"))
REFERENCE = "bots_position"
"""The learner that also plays the other games."""
QUESTIONS = {
    "Does a central critic help?": ("mappo", "ppo"),
    "Values or a policy gradient?": ("dqn", "ppo"),
    "Self-play or bots?": ("ppo", "bots"),
    "Snapshots among the bots?": ("bots_and_self_play", "bots"),
    "Imitation or self-play?": ("imitation", "ppo"),
    "Raw vector or facts about each card?": ("bots_raw", "bots"),
    "Expected values as features?": ("bots_position", "bots"),
}
"""Pairs of entries that answer a question."""
_COSTS = "runs", "decisions", "CPU minutes"


@table
def baselines() -> Iterator[Row]:
    """Every learner at four players, and a best response to one of its policies."""
    yield "win share in %", *_bots(), "best response", *_COSTS
    runs = report("baselines/runs")
    for entry in report(f"baselines/{LEARNERS}")["entries"]:
        name = entry["name"]
        response = runs[BEST_RESPONSES].get(name)
        share = response and interval_of_runs(response["win_share"])
        yield f"`{name}`", *_win_shares(entry), share, *_costs(runs[LEARNERS][name])


@table
def baseline_games() -> Iterator[Row]:
    """One learner in several games, each with its equal share."""
    yield "win share in %", *_bots(), *_COSTS
    runs = report("baselines/runs")
    entries = report(f"baselines/{LEARNERS}")["entries"]
    reference = only(entries, name=REFERENCE)
    yield "4 players", *_win_shares(reference), *_costs(runs[LEARNERS][REFERENCE])
    for entry in report(f"baselines/{GAMES}")["entries"] if runs[GAMES] else []:
        if (name := entry["name"]) in runs[GAMES]:
            yield name.replace("_", " "), *_win_shares(entry), *_costs(runs[GAMES][name])


@table
def baseline_one_policy() -> Iterator[Row]:
    """One policy for several numbers of players against a policy for each, at each number."""
    yield "win share in %", "policy", "all three", *_bots(), "runs"
    for name in names(f"baselines/{TABLES}"):
        found = report(name)
        for entry in found["entries"]:
            shares = [interval_of_runs(entry["iqm"][bot]) for bot in ("all", *entry["scores"])]
            runs = len(entry["seeds"])
            yield f"{found['players']} players", f"`{entry['name']}`", *shares, runs


@table
def baseline_answers() -> Iterator[Row]:
    """How probably one learner is better than another, over all bots of the panel."""
    yield "question", "entries", "probability of improvement"
    found = report(f"baselines/{LEARNERS}")["probability_of_improvement"]
    for question, (one, other) in QUESTIONS.items():
        value = PROBABILITY.read(only(found, entry=one, over=other))
        yield question, f"`{one}` over `{other}`", PROBABILITY.with_interval(value)


def _costs(runs: list[dict[str, Any]]) -> Row:
    """The number of runs, and the decisions and the mean CPU time of one."""
    seconds = [run["cpu_seconds"] for run in runs if run["cpu_seconds"] is not None]
    minutes = f"{sum(seconds) / len(seconds) / 60:.2f}" if seconds else ""
    return len(runs), f"{runs[0]['decisions']:,}", minutes


def _bots() -> list[str]:
    return code(report(f"baselines/{LEARNERS}")["evaluate_against"])


def _win_shares(entry: dict[str, Any]) -> list[str]:
    """The interquartile mean against each bot."""
    return [interval_of_runs(entry["iqm"][bot]) for bot in entry["scores"]]
