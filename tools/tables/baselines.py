"""The tables of docs/baselines.md, from the reports in docs/results/baselines."""

from typing import Any

from mindup_env.report import Column, markdown_table
from tools.tables.results import OF_RUNS, names, report

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


def learners() -> str:
    """Every learner at four players, and a best response to one of its policies."""
    runs = report("baselines/runs")
    rows = []
    for entry in report(f"baselines/{LEARNERS}")["entries"]:
        response = runs[BEST_RESPONSES].get(entry["name"])
        rows.append(
            [
                f"`{entry['name']}`",
                *_win_shares(entry),
                "" if response is None else _win_share(response["win_share"]),
                *_costs(runs[LEARNERS][entry["name"]]),
            ]
        )
    return markdown_table(["win share in %", *_bots(), "best response", *_COSTS], rows)


def games() -> str:
    """One learner in several games, each with its equal share."""
    runs = report("baselines/runs")
    shown = {LEARNERS: [REFERENCE], GAMES: list(runs[GAMES])}
    rows = []
    for study, wanted in shown.items():
        for entry in report(f"baselines/{study}")["entries"] if wanted else []:
            if entry["name"] in wanted:
                title = "4 players" if study == LEARNERS else entry["name"].replace("_", " ")
                rows.append([title, *_win_shares(entry), *_costs(runs[study][entry["name"]])])
    return markdown_table(["win share in %", *_bots(), *_COSTS], rows)


def one_policy() -> str:
    """One policy for several numbers of players against a policy for each, at each number."""
    rows = []
    for name in names(f"baselines/{TABLES}"):
        found = report(name)
        for entry in found["entries"]:
            shares = [entry["iqm"][bot] for bot in ("all", *entry["scores"])]
            cells = [_win_share(share) for share in shares]
            runs = f"{len(entry['seeds'])}"
            rows.append([f"{found['players']} players", f"`{entry['name']}`", *cells, runs])
    return markdown_table(["win share in %", "policy", "all three", *_bots(), "runs"], rows)


def answers() -> str:
    """How probably one learner is better than another, over all bots of the panel."""
    found = {
        (each["entry"], each["over"]): each
        for each in report(f"baselines/{LEARNERS}")["probability_of_improvement"]
    }
    rows = [
        [
            question,
            f"`{one}` over `{other}`",
            PROBABILITY.with_interval(PROBABILITY.read(found[one, other])),
        ]
        for question, (one, other) in QUESTIONS.items()
    ]
    return markdown_table(["question", "entries", "probability of improvement"], rows)


def commands() -> str:
    """The command of the first run of each entry, and of each best response."""
    runs = report("baselines/runs")
    rows = [["the dataset", f"`{runs['dataset']['command']}`"]]
    for study in STUDIES:
        rows += [[f"`{name}`", f"`{own[0]['command']}`"] for name, own in runs[study].items()]
    rows += [
        [f"best response to `{name}`", f"`{run['command']}`"]
        for name, run in runs[BEST_RESPONSES].items()
    ]
    return markdown_table(["run", "command"], rows)


_COSTS = ["runs", "decisions", "CPU minutes"]


def _costs(runs: list[dict[str, Any]]) -> list[str]:
    """The number of runs, and the decisions and the mean CPU time of one."""
    seconds = [run["cpu_seconds"] for run in runs if run["cpu_seconds"] is not None]
    minutes = f"{sum(seconds) / len(seconds) / 60:.2f}" if seconds else ""
    return [f"{len(runs)}", f"{runs[0]['decisions']:,}", minutes]


def _bots() -> list[str]:
    return [f"`{bot}`" for bot in report(f"baselines/{LEARNERS}")["evaluate_against"]]


def _win_shares(entry: dict[str, Any]) -> list[str]:
    """The interquartile mean against each bot."""
    return [_win_share(entry["iqm"][bot]) for bot in entry["scores"]]


def _win_share(estimate: dict[str, Any]) -> str:
    return OF_RUNS.with_interval(OF_RUNS.read(estimate))
