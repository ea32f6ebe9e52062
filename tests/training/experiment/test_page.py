"""The commands of docs/experiments.md, on trainings of a moment."""

import shlex
from pathlib import Path

from mindup_training.experiment.plan import Experiment
from tests.pages import OF_EXPERIMENTS, blocks
from tests.training.experiment.experiments import experiment
from tools.tables.pages import ROOT

PAGE = ROOT / "docs" / "experiments.md"


def write_short_file(folder: Path) -> None:
    """The file of entries on the page, with trainings that end after the first rollout."""
    (text,) = [text for language, text in blocks(PAGE) if language == "toml"]
    for old, new in (
        ('"quick"', '"tiny.toml"'),
        ("timesteps 600_000", "timesteps 1 --num-envs 8 --evaluation-deals 2"),
        ('["random", "greedy", "planner"]', '["random"]\nevaluation_deals = 2'),
    ):
        assert old in text
        text = text.replace(old, new)
    (folder / "comparison.toml").write_text(text)


def test_the_file_of_the_page_is_right(here: Path) -> None:
    (text,) = [text for language, text in blocks(PAGE) if language == "toml"]
    (here / "comparison.toml").write_text(text)
    plan = Experiment.read(["comparison.toml"], {}, {})
    plan.check()
    rates = [f"wide,learning_rate={rate}" for rate in (0.0005, 0.001)]
    assert plan.names == ["quick", *rates, "self_play"]


def test_the_commands_of_the_page_work(here: Path) -> None:
    write_short_file(here)
    assert experiment("comparison.toml", "--seeds", "1", "--out", "runs/machine-1") == 0
    for command, more in OF_EXPERIMENTS.items():
        program, *words = shlex.split(f"{command} {more}")
        assert (program, words[0]) == ("mindup", "experiment")
        assert experiment(*words[1:]) == 0
    assert (here / "runs" / "both" / "report.md").exists()
    assert (here / "runs" / "experiment-quick" / "report.md").exists()
