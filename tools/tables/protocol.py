"""The table of docs/protocol.md and the file of its schemas, from the code of the protocol."""

import json

from mindup_agents.process.messages import (
    CARDS,
    OBJECTIVES,
    OPTIONAL_VIEWS,
    SPARE_BITS,
    message_schemas,
    view_fields,
)
from mindup_env import GameConfig
from mindup_env.report import markdown_table

_LISTS = {CARDS: "list of cards", OBJECTIVES: "list of ids"}


def view() -> str:
    """The fields of a seat."""
    rows = [
        ["random_bits", "integer", f"{64 - SPARE_BITS} random bits, drawn anew for each decision"]
    ]
    for field in view_fields(GameConfig()):
        value = _LISTS.get(field.holds, "list of integers" if field.part.shape else "integer")
        value = f"for each player: {value}" if field.of_players else value
        rows.append([field.name, value, field.meaning])
    rows += [[name, "if asked for", meaning] for name, meaning in OPTIONAL_VIEWS.items()]
    return markdown_table(
        ["field", "value", "meaning"], [[f"`{name}`", *cells] for name, *cells in rows]
    )


def schemas() -> str:
    """The schemas of the messages for the published game for four players, as a file."""
    return json.dumps(message_schemas(GameConfig()), indent=2) + "\n"
