"""What a training run is told: everything that its result depends on."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

from mindup_agents.features import ENCODERS, current_id
from mindup_agents.policy import Widths
from mindup_agents.policy.description import configs_for
from mindup_env.checks import as_list, check_entries, check_int
from mindup_env.config import GameConfig
from mindup_env.rewards import parse_reward
from mindup_training.distributed import Rllib
from mindup_training.learner_rows import Tables
from mindup_training.opponent_mix import parse_share
from mindup_training.self_play import SelfPlay


@dataclass(frozen=True)
class PPOSettings:
    """How the policy is improved; a rollout is whole games in every environment."""

    num_envs: int = 256
    rollout_games: int = 1  # in each environment
    batch_size: int = 1024
    epochs: int = 3
    learning_rate: float = 1e-3  # at first; it falls to 0 in a straight line
    gae_lambda: float = 0.5  # the luck of later turns is large: the value knows it better
    clip_range: float = 0.2
    entropy_weight: float = 0.02
    value_weight: float = 0.5


_OPTIONAL = {"rllib": Rllib, "self_play": SelfPlay}
"""Sections that are not there without being asked for."""


@dataclass(frozen=True)
class TrainSettings:
    players: int = 4
    objectives: tuple[int, ...] = (0,)  # as many tables with each of these numbers
    game: Mapping[str, Any] = field(default_factory=dict)  # what else is not as published
    opponents: tuple[str, ...] = ("random",)  # each with its weight, such as 2:random
    reward: str = "0.1*margin+win"
    features: str = "plain-1"
    widths: Widths = field(default_factory=Widths)
    timesteps: int = 1_000_000  # decisions of the learner
    minutes: float = 0.0  # if not 0, these count and not the timesteps
    seed: int = 0
    threads: int = 0  # of PyTorch; 0 for one on each core
    checkpoint_every: int = 100_000  # timesteps; every checkpoint is evaluated
    evaluate_against: tuple[str, ...] = ("random",)
    evaluation_deals: int = 200
    self_play: SelfPlay | None = None  # not without being asked
    rllib: Rllib | None = None  # the library that learns; without it Stable-Baselines3
    ppo: PPOSettings = field(default_factory=PPOSettings)

    def __post_init__(self) -> None:
        for name in ("players", "timesteps", "checkpoint_every", "evaluation_deals"):
            check_int(name, getattr(self, name), 1)
        check_int("seed", self.seed, 0, 2**32 - 1)
        check_int("threads", self.threads, 0)
        if self.minutes < 0:
            raise ValueError(f"minutes must be a number from 0 on, not {self.minutes}")
        if self.features not in ENCODERS:
            raise ValueError(
                f"features must be one of {', '.join(ENCODERS)}, not {self.features!r}"
            )
        for name in ("objectives", "opponents"):
            if not getattr(self, name):
                raise ValueError(f"{name} must not be empty")
        if self.rllib:
            check_int("learning_seats", self.rllib.learning_seats, 1, self.players)
        parse_reward(self.reward)
        _ = self.tables  # the configs and the mix of opponents can be made

    @cached_property
    def configs(self) -> tuple[GameConfig, ...]:
        return configs_for([self.players], list(self.objectives), **self.game)

    @property
    def tables(self) -> Tables:
        mix = tuple(parse_share(text) for text in self.opponents)
        return Tables(self.configs, mix, self.reward, self.features, self.ppo.num_envs)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**asdict(self), "widths": self.widths._asdict()}

    @classmethod
    def from_dict(cls, plain: Any) -> Self:
        return cls().changed(plain)

    def changed(self, plain: Any) -> Self:
        """These settings with some of them replaced by plain data, as of JSON or TOML."""
        plain = _with_current_names(plain)
        check_entries("settings", plain, (), (each.name for each in fields(self)))
        return replace(self, **{name: self._read(name, value) for name, value in plain.items()})

    def _read(self, name: str, value: Any) -> Any:
        if name == "widths":
            return _widths(value)
        if name == "game":
            check_entries("game", value, (), ("num_rounds", "hand_size", "deck"))
            return dict(value)
        if name == "ppo":
            return _section(name, value, self.ppo)
        if name in _OPTIONAL:
            mine = getattr(self, name) or _OPTIONAL[name]()
            return None if value is None else _section(name, value, mine)
        if name in ("objectives", "opponents", "evaluate_against"):
            return tuple(as_list(name, value))
        return _number(name, value, self)


def _with_current_names(plain: Any) -> Any:
    """Run folders and presets of the first versions call the features inputs."""
    if not isinstance(plain, Mapping):
        return plain
    current = {"features" if name == "inputs" else name: value for name, value in plain.items()}
    if isinstance(current.get("features"), str):
        current["features"] = current_id(current["features"])
    return current


def read_preset(name: str) -> TrainSettings:
    """The settings of a preset of that name, or of a file."""
    known = {
        file.name.removesuffix(".toml"): file
        for file in files(__package__).joinpath("presets").iterdir()
    }
    if name in known:
        text = known[name].read_text(encoding="utf-8")
    else:
        try:
            text = Path(name).read_text(encoding="utf-8")
        except OSError:
            raise ValueError(
                f"there is no preset or file {name!r}; there is {', '.join(sorted(known))}"
            ) from None
    try:
        return TrainSettings.from_dict(tomllib.loads(text))
    except ValueError as error:
        raise ValueError(f"preset {name}: {error}") from None


def _widths(plain: Any) -> Widths:
    if isinstance(plain, Mapping):
        check_entries("widths", plain, Widths._fields)
        plain = [plain[name] for name in Widths._fields]
    values = as_list("widths", plain)
    if len(values) != len(Widths._fields):
        raise ValueError(f"widths are three numbers ({', '.join(Widths._fields)}), not {plain!r}")
    return Widths(*(check_int("a width", value, 1) for value in values))


def _section(name: str, plain: Any, defaults: Any) -> Any:
    check_entries(name, plain, (), (each.name for each in fields(defaults)))
    return replace(defaults, **{key: _number(key, plain[key], defaults) for key in plain})


def _number(name: str, value: Any, defaults: Any) -> Any:
    """A number, or a text, of the kind that stands there now."""
    kind = type(getattr(defaults, name))
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not kind:
        raise ValueError(f"{name} must be of the kind {kind.__name__}, not {value!r}")
    return value
