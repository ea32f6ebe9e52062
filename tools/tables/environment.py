"""The tables of docs/mindup.md, from the code."""

import inspect
from dataclasses import fields
from typing import Any

from mindup_env import OBJECTIVES, GameConfig, mindup_v0
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS
from mindup_env.render.modes import RENDER_MODES
from mindup_env.report import markdown_table

MEANINGS = {
    "reward": "see [Rewards](#rewards)",
    "illegal_action": '`"penalise"` or `"raise"`, see [Actions](#actions)',
    "render_mode": '`"ansi"`, `"rgb_array"`, `"human"` (extra `[render]`) or `None`',
    "pad_to_players": "pads observations and states to so many players, see "
    "[the padded layout](observation.md#the-padded-layout)",
    "num_players": f"{MIN_PLAYERS} to {MAX_PLAYERS}; the rulebook has 3 to 6",
    "num_objectives": "objectives shown at once, 0 to 5",
    "num_rounds": "rounds; the rulebook has 3",
    "hand_size": "cards in the first hands; the rulebook has 7",
    "deck": "the cards, as a `Deck`",
}

RULINGS = {
    "hands of rounds 2 and 3": "the whole tableau and one drawn card",
    "an objective about the place of a colour; the player has no card of it": "not met",
    '"nobody has more" (or fewer); all have the same number, or none': "met",
    "purple against orange; the player has neither": "met",
    "time at which players are compared": "once, after all last cards are placed",
    "the other objective of the same letter, in a later round": "can be drawn",
    "order in which the extra cards are drawn": "by seat; this changes no probability",
}


def facts() -> str:
    env = mindup_v0.parallel_env()
    agents = env.possible_agents
    vector: Any = env.observation_space(agents[0])["observation"]  # a Box
    rows = {
        "Import": "`from mindup_env import mindup_v0`",
        "Agents": f"`{agents[0]}` to `{agents[-1]}`; {MIN_PLAYERS} to {MAX_PLAYERS} of them",
        "Actions": f"`{env.action_space('player_0')}`, with a mask",
        "Observation": f"{vector.shape} {vector.dtype}, {vector.low.min()} to {vector.high.max()}",
        "State": f"{env.state_space.shape} {env.state_space.dtype}",
        "PettingZoo": "parallel and AEC",
        "Rendering": ", ".join(f"`{mode}`" for mode in RENDER_MODES),
    }
    return markdown_table(["for four players", ""], [[name, value] for name, value in rows.items()])


def spaces() -> str:
    """The sizes for each number of players, and in the padded layout of the most players."""
    most = MAX_PLAYERS
    tables: list[tuple[str, int, int | None]]
    tables = [(f"{players}", players, None) for players in range(MIN_PLAYERS, most + 1)]
    tables.append((f"padded to {most}", MIN_PLAYERS, most))
    rows = []
    for name, players, padded in tables:
        env = mindup_v0.parallel_env(num_players=players, pad_to_players=padded)
        seen = env.observation_space("player_0")
        mask, vector = seen["action_mask"], seen["observation"]
        state = env.state_space.shape
        rows.append([name, f"{vector.shape}", f"{mask.shape}", f"{state}"])
    return markdown_table(["players", "`observation`", "`action_mask`", "`state()`"], rows)


def options() -> str:
    named = inspect.signature(mindup_v0.parallel_env).parameters.values()
    defaults = {each.name: each.default for each in named if each.kind is each.KEYWORD_ONLY}
    defaults |= {each.name: each.default for each in fields(GameConfig)}
    rows = [[f"`{name}`", f"`{value!r}`", MEANINGS[name]] for name, value in defaults.items()]
    return markdown_table(["argument", "default", "meaning"], rows)


def objectives() -> str:
    rows = [
        [each.letter, f"{each.points:+d}", each.condition, f"`{each.id}`"] for each in OBJECTIVES
    ]
    return markdown_table(["letter", "points", "condition", "id"], rows)


def rulings() -> str:
    rows = [list(ruling) for ruling in RULINGS.items()]
    return markdown_table(["case that the rulebooks leave open", "ruling of mindup-env"], rows)
