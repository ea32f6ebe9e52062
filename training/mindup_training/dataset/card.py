"""The README of a dataset: how it was made, and what its columns are."""

from importlib.metadata import version
from typing import Any

from mindup_arena.schedule import SCHEDULE, matches, schedule_text
from mindup_env.observation import layout_of
from mindup_env.runs.options import TableOptions
from mindup_env.settings.declaration import options_of
from mindup_training.dataset.columns import columns_of, number_parts
from mindup_training.dataset.seats import total_rows
from mindup_training.dataset.settings import OPTIONS, DatasetSettings
from mindup_training.settings.options import command_text

_LIBRARIES = {"parquet": ("mindup-env", "numpy", "pyarrow"), "npz": ("mindup-env", "numpy")}

_LOADING = {
    "parquet": """import numpy as np
from datasets import load_dataset

row = load_dataset("parquet", data_files="data/*.parquet", split="train")[0]
bits = np.frombuffer(row["observation_bits"], np.uint8)
numbers = np.frombuffer(row["observation_numbers"], np.int8)
mask = np.frombuffer(row["action_mask"], np.uint8)""",
    "npz": """import numpy as np

with np.load("data/chunk-00000.npz", allow_pickle=False) as chunk:
    bits = chunk["observation_bits"]  # (rows, bytes)
    numbers = chunk["observation_numbers"]  # (rows, numbers)
    mask = chunk["action_mask"]  # (rows, bytes)""",
}

_BYTES = {
    "parquet": "An array of a row is stored as its bytes, little-endian.",
    "npz": "Nothing is pickled.",
}


def card_text(settings: DatasetSettings) -> str:
    """The README; its header has what a server of datasets reads."""
    form, config = settings.format, settings.config
    libraries = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES[form])
    rows, bots = total_rows(settings), ", ".join(f"`{bot}`" for bot in settings.bots)
    lines = "\n".join(
        f"- {' '.join(settings.bots[bot] for bot in match)}" for match in matches(settings)
    )
    columns = "\n".join(
        f"| `{name}` | {dtype}{'' if width is None else f' ({width},)'} | {meaning} |"
        for name, dtype, width, meaning in columns_of(config)
    )
    random_cards = (
        f"\n\nWith the probability {settings.random_cards:g} a seat played a random card instead "
        "of `action`. The rewards and the next positions are those of the cards that were played."
    ) * (settings.random_cards > 0)
    numbers = ", ".join(f"{part.start}:{part.stop}" for part in number_parts(config))
    return f"""---
license: mit
tags: [reinforcement-learning, multi-agent, card-game]
configs:
- config_name: default
  data_files: data/*.{form}
---

# Decisions of bots in Mind Up!

{rows:,} decisions of {bots} in the card game Mind Up!, with {config.num_players} players,
{config.num_objectives} objectives and {config.num_rounds} rounds, as mindup-env plays it. Made by

```console
{command_of(settings)}
```

with {libraries}. `run.json` has all settings.

## Games

{settings.deals} deals. {_schedule(settings)}

In rotation r, the bot at place i of a match is at seat i + r modulo the players. The matches are:

{lines}

Each file has one match over up to {settings.chunk_deals} deals, turn by turn: in each turn the
seats of all games. Sort by deal, rotation, seat and turn to have the decisions of a seat in a row.

## Columns

| column | type | meaning |
| --- | --- | --- |
{columns}

The reward is `{settings.reward}`, and returns are not discounted. {_BYTES[form]}{random_cards}

## Reading

An observation has {layout_of(config).size} entries: `observation_bits` has a bit for each, and
`observation_numbers` has those that can be other than 0 or 1. `action_mask` has a bit for each of
the {config.num_cards} cards.

```python
{_LOADING[form]}

observation = np.unpackbits(bits, axis=-1, count={layout_of(config).size}).view(np.int8)
observation[..., np.r_[{numbers}]] = numbers
action_mask = np.unpackbits(mask, axis=-1, count={config.num_cards})
```

`mindup_training.dataset.read_dataset` gives all columns as arrays, with turns and seats as axes.

## Licence

MIT, as mindup-env.
"""


def command_of(settings: DatasetSettings, folder: str = "DIR") -> str:
    """The command that makes the same dataset, if the settings are those of the command."""
    given: dict[str, Any] = {}
    for own, usual, names in (
        (TableOptions.of(settings.config), TableOptions(), options_of(TableOptions)),
        (settings, DatasetSettings(settings.bots), OPTIONS),
    ):
        pairs = {name: getattr(own, name) for name in names}
        given |= {name: each for name, each in pairs.items() if each != getattr(usual, name)}
    program = ["mindup", settings.kind, *settings.bots]
    given |= {"format": settings.format, "out": folder}
    return command_text(program, given, DatasetSettings)


def _schedule(settings: DatasetSettings) -> str:
    if len(settings.bots) == 1:
        return "The bot takes all seats of one game per deal."
    copies = " A rotation that seats the bots like an earlier one is left out."
    return (schedule_text(settings) if settings.one_vs_field else SCHEDULE) + copies
