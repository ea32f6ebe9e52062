"""What policy networks read, by name.

A policy file says by which name its network was fed, so that a name never changes its meaning: an
improved version takes a new name.
"""

from collections.abc import Callable

from mindup_agents.features.base import Inputs
from mindup_agents.features.forecast import ForeseenInputs
from mindup_agents.features.plain import PlainInputs
from mindup_agents.features.playout import TriedInputs
from mindup_env.config import GameConfig

__all__ = ["INPUTS", "Inputs", "make_inputs"]

INPUTS: dict[str, Callable[[GameConfig], Inputs]] = {
    PlainInputs.name: PlainInputs,
    ForeseenInputs.name: ForeseenInputs,
    TriedInputs.name: TriedInputs,
}


def make_inputs(name: str, config: GameConfig) -> Inputs:
    if name not in INPUTS:
        raise ValueError(f"there are no inputs {name!r}; there are {', '.join(INPUTS)}")
    return INPUTS[name](config)
