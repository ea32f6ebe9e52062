"""The tables of docs/baselines.md, from the reports in docs/results/baselines."""

from typing import Any

from tools.tables.markdown import table
from tools.tables.results import report

LEARNERS, GAMES = "learners", "games"
REFERENCE = "bots"
"""The learner that also plays the other games."""
QUESTIONS = {
    "Features rather than the raw vector": [("bots", "bots_raw"), ("bots", "bots_plain")],
    "A few facts about each card rather than the raw vector": [("bots_plain", "bots_raw")],
    "Snapshots among the opponents": [("bots_and_self_play", "bots")],
    "Self-play alone rather than bots": [("ppo", "bots")],
    "A central critic": [("mappo", "ppo")],
    "Values rather than a policy gradient": [("dqn", "ppo")],
    "Imitation rather than self-play": [("imitation", "ppo")],
}


def learners() -> str:
    """Every learner at four players."""
    return _scores(report(f"baselines/{LEARNERS}")["entries"], {})


def games() -> str:
    """One learner in several games, each with its equal share."""
    entries = report(f"baselines/{LEARNERS}")["entries"]
    first = [each for each in entries if each["name"] == REFERENCE]
    others = report(f"baselines/{GAMES}")["entries"]
    return _scores([*first, *others], {REFERENCE: "4 players"})


def answers() -> str:
    """How probably one learner is better than another, over all bots of the panel."""
    found = {
        (each["entry"], each["over"]): each
        for each in report(f"baselines/{LEARNERS}")["probability_of_improvement"]
    }
    rows = []
    for question, pairs in QUESTIONS.items():
        for one, other in pairs:
            chance = _numbers(found[one, other], "{:.2f}")
            rows.append([question, f"`{one}` over `{other}`", chance])
    return table(["question", "entries", "probability of improvement"], rows)


def commands() -> str:
    """The command of each entry, with the seed 0, and that of its best response."""
    rows = []
    for name, entry in report("baselines/runs")["entries"].items():
        rows += [[f"`{name}`", f"`{entry['runs'][0]['command']}`"]]
        rows += [["", f"`{entry['best_response']['command']}`"]]
    return table(["entry", "command"], rows)


def _scores(entries: list[dict[str, Any]], titles: dict[str, str]) -> str:
    """A row for each entry: win shares, exploitability, decisions and CPU minutes."""
    runs = report("baselines/runs")["entries"]
    bots = list(entries[0]["scores"])
    rows = []
    for entry in entries:
        name = entry["name"]
        own, response = runs[name]["runs"], runs[name]["best_response"]
        seconds = [run["cpu_seconds"] for run in own if run["cpu_seconds"] is not None]
        rows.append(
            [
                titles.get(name, f"`{name}`" if not titles else name.replace("_", " ")),
                *(_numbers(entry["iqm"][bot], "{:.1f}", 100) for bot in bots),
                _numbers(_shares(response["win_share"]), "{:.1f}", 100),
                f"{100 * response['equal_share']:.1f}",
                f"{own[0]['decisions']:,}",
                f"{sum(seconds) / len(seconds) / 60:.2f}",
            ]
        )
    shares = [f"`{bot}`" for bot in bots]
    more = ["best response", "equal play", "decisions", "CPU minutes"]
    return table(["win share in %", *shares, *more], rows)


def _shares(win_share: dict[str, float]) -> dict[str, float]:
    return {name: win_share[name] for name in ("value", "low", "high")}


def _numbers(estimate: dict[str, Any], form: str, scale: float = 1) -> str:
    value, low, high = (form.format(scale * estimate[name]) for name in ("value", "low", "high"))
    return f"{value} ({low} to {high})"
