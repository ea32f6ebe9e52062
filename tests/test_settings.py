"""What a class of settings declares: validation, plain data, and the options of a command."""

import argparse
import json
import pickle
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import field, is_dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, get_args, get_type_hints

import numpy as np
import pytest

from mindup_env import GameConfig
from mindup_env.checks import require
from mindup_env.files import read_json
from mindup_env.settings.command_line import add_options, given_options
from mindup_env.settings.declaration import (
    from_plain,
    option,
    options_of,
    settings,
    to_plain,
)


class Size(NamedTuple):
    width: int = 3
    height: int = 2


@settings
class Learner:
    rate: float = option("of learning", default=0.1, above=0, high=1)
    epochs: int = option("passes", default=3, low=1)
    size: Size = option("of a layer", default_factory=Size, low=1)


@settings(kw_only=True)
class Slow(Learner):
    rate: float = 0.01
    patience: int = option("steps", default=2)
    size: Size = field(default_factory=lambda: Size(5, 5))


@settings
class Run:
    kind: ClassVar[str] = "run"

    bots: tuple[str, ...] = option("the bots", default=("random",))
    players: tuple[int, ...] = option("at a table", default=(4,), low=2, high=6)
    widths: tuple[int, int] = option("of the layers", default=(64, 64), low=1)
    timesteps: int = option("decisions to learn from", default=1000, low=1)
    limit: float | None = option("seconds", default=None, low=0)
    mode: str = option("how", default="fast", choices=("fast", "slow"))
    size: Size = option("of the picture", default_factory=Size, low=1)
    quiet: bool = option("print less", default=False)
    config: GameConfig = field(default_factory=GameConfig)
    game: Mapping[str, Any] = field(default_factory=dict)
    learner: Learner = field(default_factory=Learner)
    slow: Slow | None = None
    stages: tuple[Learner, ...] = ()
    note: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.timesteps == 13:
            raise ValueError("timesteps of 13 bring no luck")


def parse(*words: str) -> dict[str, Any]:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_options(parser, Run)
    return given_options(parser.parse_args(words), Run)


@pytest.mark.parametrize(
    ("plain", "name", "value"),
    [
        ({"bots": ["a", "b"]}, "bots", ("a", "b")),
        ({"players": 3}, "players", (3,)),
        ({"bots": "greedy"}, "bots", ("greedy",)),
        ({"players": range(2, 4)}, "players", (2, 3)),
        ({"timesteps": np.int64(5)}, "timesteps", 5),
        ({"limit": 2}, "limit", 2.0),
        ({"size": [4, 5]}, "size", Size(4, 5)),
        ({"size": {"width": 4, "height": 5}}, "size", Size(4, 5)),
        ({"config": {"num_players": 3}}, "config", GameConfig(3)),
        ({"config": GameConfig(5)}, "config", GameConfig(5)),
        ({"game": {"num_rounds": 1}}, "game", {"num_rounds": 1}),
        ({"learner": {"epochs": 5}}, "learner", Learner(epochs=5)),
        ({"slow": {}}, "slow", Slow()),
        ({"stages": [{"epochs": 5}]}, "stages", (Learner(epochs=5),)),
    ],
)
def test_plain_data_becomes_the_declared_types(
    plain: dict[str, Any], name: str, value: Any
) -> None:
    for made in (from_plain(Run, plain), Run(**plain)):
        assert getattr(made, name) == value and type(getattr(made, name)) is type(value)
        written = json.loads(json.dumps(to_plain(made)))
        assert from_plain(Run, written) == made == pickle.loads(pickle.dumps(made))


@pytest.mark.parametrize(
    ("plain", "error"),
    [
        ({"timesteps": 0}, "timesteps must be at least 1, not 0"),
        ({"timesteps": 1.5}, "timesteps must be a whole number, not 1.5"),
        ({"timesteps": True}, "timesteps must be a whole number, not True"),
        ({"timesteps": None}, "timesteps must be a whole number, not None"),
        ({"timesteps": 13}, "timesteps of 13 bring no luck"),
        ({"limit": float("nan")}, "limit must be a finite number, not nan"),
        ({"limit": "0.1"}, "limit must be a finite number, not '0.1'"),
        ({"limit": 10**400}, "limit must be a finite number, not 1000"),
        ({"limit": -1.0}, "limit must be at least 0, not -1.0"),
        ({"players": [4, 7]}, "players must be 2 to 6, not 7"),
        ({"players": "4"}, "players must be a list, not '4'"),
        ({"bots": {"greedy"}}, "bots must be a list, not {'greedy'}"),
        ({"bots": [1]}, "bots must be a text, not 1"),
        ({"widths": [1]}, "widths must be 2 values, not [1]"),
        ({"size": Size(0, 2)}, "size must be at least 1, not 0"),
        ({"mode": "odd"}, "mode must be fast or slow, not 'odd'"),
        ({"quiet": 1}, "quiet must be true or false, not 1"),
        ({"game": 3}, "game must be a dict, not 3"),
        ({"config": {"num_players": 9}}, "config: num_players must be 2 to 6, not 9"),
        ({"learner": 3}, "learner must be a dict of rate, epochs, size, not 3"),
        ({"learner": {"rate": 2}}, "learner.rate must be above 0 and at most 1, not 2"),
        ({"slow": {"rate": 2}}, "slow.rate must be above 0 and at most 1, not 2"),
        ({"stages": [{}, {"rate": 2}]}, "stages[1].rate must be above 0 and at most 1, not 2"),
        ({"bot": 3}, "unknown setting 'bot'; did you mean bots? available: bots, players, "),
        ({"learner": {"epoch": 1}}, "unknown setting 'learner.epoch'; did you mean epochs? "),
    ],
)
def test_a_refusal_names_the_setting_and_what_is_accepted(
    plain: dict[str, Any], error: str
) -> None:
    for make in (partial(from_plain, Run, plain), partial(Run, **plain)):
        with pytest.raises(ValueError, match=f"^{re.escape(error)}") as caught:
            make()
        assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match=r"^epochs must be at least 1, not 0"):
        Learner(0.5, 0)  # without names
    with pytest.raises(ValueError, match=r"^settings must be a dict of rate, epochs, size, not 3"):
        from_plain(Learner, 3)


def test_a_subclass_that_overrides_a_default_keeps_help_and_range() -> None:
    about = options_of(Slow)["rate"]
    assert Slow().rate == 0.01 and (about.help, about.high) == ("of learning", 1)
    assert [*options_of(Slow)] == ["rate", "epochs", "size", "patience"]
    assert Slow().size == Size(5, 5) and options_of(Slow)["size"].low == 1


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
def test_only_what_a_command_gave_is_read(words: tuple[str, ...], given: dict[str, Any]) -> None:
    assert parse(*words) == given
    assert from_plain(Run, given) == Run(**given)


@pytest.mark.parametrize("words", [("--timesteps", "1.5"), ("--mode", "odd"), ("--note", "4")])
def test_what_an_option_does_not_take_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises((argparse.ArgumentError, SystemExit)):
        parse(*words)


def test_help_shows_the_meaning_and_the_default() -> None:
    parser = argparse.ArgumentParser()
    add_options(parser, Run, names=["timesteps", "bots", "limit", "size", "quiet"])
    text = " ".join(parser.format_help().split())
    assert "decisions to learn from (default 1000)" in text
    assert "the bots (default random)" in text
    assert "--size WIDTH HEIGHT of the picture (default 3 2)" in text
    assert "--limit X seconds" in text and "--mode" not in text
    assert "print less" in text and "default False" not in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a":\n 1,}', ""),
        (b"{\n\xff", "'utf-8' codec can't decode"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(text: str | bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError, match=re.escape(f"{path} is not JSON: {said}")):
        read_json(path)
    with pytest.raises(ValueError, match=r"cannot read .*none: No such file"):
        read_json(tmp_path / "none")


# All settings, and what they need

PACKAGES = "mindup_env", "mindup_agents", "mindup_play", "mindup_arena", "mindup_training"


def settings_classes() -> Iterator[Any]:
    """All classes with options."""
    for package in PACKAGES:
        for info in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            if not info.name.endswith("__main__"):
                for each in vars(import_module(info.name)).values():
                    if isinstance(each, type) and is_dataclass(each) and options_of(each):
                        yield each


def test_every_number_has_a_range() -> None:
    found = set(settings_classes())
    assert {"PlaySettings"} <= {each.__name__ for each in found}
    for declared in found:
        types = get_type_hints(declared)
        for name, about in options_of(declared).items():
            fields = getattr(types[name], "__annotations__", {}).values()
            is_shown = bool(about.help)  # others are entries of files
            if is_shown and {int, float} & {types[name], *get_args(types[name]), *fields}:
                low = about.low if about.above is None else about.above
                is_bounded = low is not None and about.high is not None and low < about.high
                assert is_bounded, f"{declared.__name__}.{name}"


def test_what_is_missing_is_named_with_the_command_that_installs_it() -> None:
    require("this test", "dev", "json", "pytest")
    with pytest.raises(
        ValueError, match=r"the arena needs no_such, nor_this: .*mindup-env\[arena\]"
    ):
        require("the arena", "arena", "json", "no_such", "nor_this")
