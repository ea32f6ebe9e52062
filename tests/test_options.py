"""A dataclass as the options of a command, and back."""

import argparse
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import pytest

from mindup_env.settings.options import (
    add_options,
    check_ranges,
    given_options,
    option,
    options_of,
    to_words,
)


class Size(NamedTuple):
    width: int = 3
    height: int = 2


@dataclass(frozen=True)
class Settings:
    bots: tuple[str, ...] = option("the bots", default=("random",))
    widths: tuple[int, int] = option("of the layers", default=(64, 64), low=1)
    timesteps: int = option("decisions to learn from", default=1000, low=1)
    rate: float = option("of learning", default=0.1, above=0, high=1)
    limit: float | None = option("seconds", default=None, low=0)
    mode: str = option("how", default="fast", choices=("fast", "slow"))
    size: Size = option("of the picture", default_factory=Size, low=1)
    quiet: bool = option("print less", default=False)
    derived: int = 3  # a setting, but no option


def parse(*words: str) -> dict[str, Any]:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_options(parser, Settings)
    return given_options(parser.parse_args(words), Settings)


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ((), {}),
        (("--timesteps", "1e6"), {"timesteps": 1_000_000}),
        (("--timesteps", "1_000"), {"timesteps": 1000}),
        (("--bots", "greedy", "planner"), {"bots": ["greedy", "planner"]}),
        (("--widths", "8", "4"), {"widths": [8, 4]}),
        (("--size", "8", "4"), {"size": [8, 4]}),
        (("--limit", "0.5"), {"limit": 0.5}),
        (("--mode", "slow"), {"mode": "slow"}),
        (("--quiet",), {"quiet": True}),
        (("--no-quiet",), {"quiet": False}),
    ],
)
def test_only_what_was_given_is_read(words: tuple[str, ...], given: dict[str, Any]) -> None:
    assert parse(*words) == given


def test_the_words_of_a_command_say_the_same_again() -> None:
    given = parse("--timesteps", "1e6", "--widths", "8", "4", "--bots", "greedy", "--no-quiet")
    assert parse(*to_words(given)) == given


@pytest.mark.parametrize("words", [("--timesteps", "1.5"), ("--mode", "odd"), ("--derived", "4")])
def test_what_an_option_does_not_take_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises((argparse.ArgumentError, SystemExit)):
        parse(*words)


def test_help_shows_the_meaning_and_the_default() -> None:
    parser = argparse.ArgumentParser()
    add_options(parser, Settings, names=["timesteps", "bots", "limit", "size", "quiet"])
    text = " ".join(parser.format_help().split())
    assert "decisions to learn from (default 1000)" in text
    assert "the bots (default random)" in text
    assert "--size WIDTH HEIGHT of the picture (default 3 2)" in text
    assert "--limit LIMIT seconds" in text and "--rate" not in text
    assert "print less" in text and "default False" not in text


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"timesteps": 0}, "timesteps must be at least 1, not 0"),
        ({"timesteps": 1.5}, "timesteps must be a whole number, not 1.5"),
        ({"size": Size(0, 2)}, "size must be at least 1, not 0"),
        ({"widths": (8, 0)}, "widths must be at least 1, not 0"),
        ({"rate": 0.0}, "rate must be above 0 and at most 1, not 0.0"),
        ({"rate": 2}, "rate must be above 0 and at most 1, not 2"),
        ({"rate": float("nan")}, "rate must be a finite number, not nan"),
        ({"rate": "0.1"}, "rate must be a finite number, not '0.1'"),
        ({"timesteps": None}, "timesteps must be a whole number, not None"),
        ({"limit": -1.0}, "limit must be at least 0, not -1.0"),
    ],
)
def test_a_number_outside_its_range_is_refused(values: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match="^" + error.replace("+", r"\+")):
        check_ranges(Settings(**values))


def test_the_defaults_are_in_their_ranges() -> None:
    check_ranges(Settings())
    assert {*options_of(Settings)} == {each.name for each in fields(Settings)} - {"derived"}
