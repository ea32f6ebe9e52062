"""Small grids of settings: ``ppo.learning_rate=1e-4,3e-4``."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mindup_training.experiment.entry import PresetEntry, check_setting_name
from mindup_training.settings import TrainSettings
from mindup_training.settings.options import sections_of

Grid = Mapping[str, list[Any]]
"""The values of each setting, by names such as ``ppo.learning_rate``."""


def read_sweep(texts: Iterable[str]) -> Grid:
    """The grid of texts such as ``ppo.learning_rate=1e-4,3e-4``."""
    grid: dict[str, list[Any]] = {}
    for text in texts:
        name, is_given, values = text.partition("=")
        if not is_given or not values:
            raise ValueError(f"a sweep is SETTING=VALUE,VALUE,..., not {text!r}")
        if name in grid:
            raise ValueError(f"--sweep must name {name} once")
        grid[name] = _values(values)
    return grid


def grid_of_table(entry: str, plain: Any) -> Grid:
    """The grid of a table in a TOML file, in the sections of a preset."""
    if not isinstance(plain, Mapping):
        raise ValueError(f"entry {entry!r}: sweep must be a table, not {plain!r}")
    grid: dict[str, list[Any]] = {}
    for name, value in plain.items():
        if name in sections_of(TrainSettings) and isinstance(value, Mapping):
            grid |= {f"{name}.{key}": values for key, values in value.items()}
        else:
            grid[name] = value
    for name, values in grid.items():
        if not isinstance(values, list) or not values:
            raise ValueError(f"entry {entry!r}: sweep of {name} must be a list of values")
    return grid


def expand(entry: PresetEntry, grid: Grid) -> Iterator[PresetEntry]:
    """The entry at each point of a grid, the last setting changing fastest."""
    if not grid:
        yield entry
        return
    (name, values), *others = grid.items()
    check_setting_name(entry.name, name)
    for value in values:
        yield from expand(entry.with_setting(name, value, _label(value)), dict(others))


def _values(text: str) -> list[Any]:
    """Values as in TOML; a text needs no quotes."""
    for array in (f"[{text}]", f"[{', '.join(map(_quoted, text.split(',')))}]"):
        try:
            values: list[Any] = tomllib.loads(f"values = {array}")["values"]
        except tomllib.TOMLDecodeError:
            continue
        return values
    raise ValueError(f"cannot read the values {text!r} of a sweep: quote texts, as in TOML")


def _quoted(text: str) -> str:
    try:
        tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return f"'{text}'"
    return text


def _label(value: Any) -> str:
    return "-".join(map(str, value)) if isinstance(value, list) else str(value)
