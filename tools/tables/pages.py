"""The pages of the documentation, and the functions that make their tables."""

import re
from collections.abc import Callable
from pathlib import Path

from mindup_env import GameConfig, Layout, StateLayout
from tools.tables import (
    baselines,
    benchmark,
    bots,
    champions,
    datasets,
    environment,
    protocol,
    results,
    training,
)

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

TABLES: dict[str, Callable[[], str]] = {
    "baseline_answers": baselines.answers,
    "baseline_commands": baselines.commands,
    "baseline_games": baselines.games,
    "baseline_one_policy": baselines.one_policy,
    "baselines": baselines.learners,
    "benchmark_games": benchmark.games,
    "benchmark_panel": benchmark.panel,
    "benchmark_sizes": benchmark.sizes,
    "bots": bots.bots,
    "champion_1": champions.champion_1,
    "champion_2": champions.champion_2,
    "champion_2_ablations": champions.champion_2_ablations,
    "champion_2_rivals": champions.champion_2_rivals,
    "champion_2_seeds": champions.champion_2_seeds,
    "champion_options": bots.champion_options,
    "champion_settings": datasets.champion,
    "commands": results.commands,
    "dataset_columns": datasets.columns,
    "dataset_settings": datasets.settings,
    "duels": results.duels,
    "engine_speed": results.engine_speed,
    "env_speed": results.env_speed,
    "experiment_settings": training.experiment_settings,
    "exploitability": results.exploitability,
    "exploits": champions.exploits,
    "facts": environment.facts,
    "features": bots.features,
    "headline": results.headline,
    "interval_coverage": results.interval_coverage,
    "imitation_settings": datasets.imitation,
    "ladder": results.ladder,
    "leaderboard": benchmark.leaderboard,
    "llm_environment": bots.llm_environment,
    "llm_options": bots.llm_options,
    "observation": Layout(GameConfig()).table,
    "objectives": environment.objectives,
    "options": environment.options,
    "ppo_settings": training.ppo_settings,
    "protocol_view": protocol.view,
    "rllib_settings": training.rllib_settings,
    "rulings": environment.rulings,
    "search_options": bots.search_options,
    "self_play_settings": training.self_play_settings,
    "spaces": environment.spaces,
    "state": StateLayout(GameConfig()).table,
    "thread_speed": results.thread_speed,
    "train_settings": training.train_settings,
    "train_speed": results.train_speed,
}
"""Each table is written below the line ``<!-- table: NAME -->`` of a page."""

FILES: dict[Path, Callable[[], str]] = {
    ROOT / "agents" / "mindup_play" / "bot_scores.json": benchmark.bot_scores,
    ROOT / "docs" / "protocol.schema.json": protocol.schemas,
}
"""Each of these files is written as a whole."""

_PLACE = re.compile(r"<!-- table: (?P<name>\w+) -->\n(?:\n(?:\|.*\n)+)?")


def tables_of(page: str) -> list[str]:
    """The names of the tables in the text of a page."""
    return [place["name"] for place in _PLACE.finditer(page)]


def with_current_tables(page: str) -> str:
    """The text of a page with all its tables written again."""
    return _PLACE.sub(lambda place: _marked(place["name"]), page)


def _marked(name: str) -> str:
    return f"<!-- table: {name} -->\n\n{TABLES[name]()}\n"
