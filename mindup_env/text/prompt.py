"""The question to a seat: what it sees, and the cards that it can play."""

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.observation import layout_of, observation_text


def seat_prompt(
    observation: npt.NDArray[np.int8], config: GameConfig, problem: str | None = None
) -> str:
    """The user prompt of a seat whose turn it is; ``rules_text`` is the system prompt.

    Everything that can be known about the game is in it: no earlier prompt is needed.

    Args:
        observation: what the seat sees, int8 (size,).
        config: the rules of the game.
        problem: what was wrong with the previous answer, as ``parse_card`` says it; the question
            is asked again.
    """
    hand = hand_of(observation, config)
    if not hand:
        raise ValueError("the game of this observation is over: there is no card to choose")
    cards = ", ".join(str(config.deck[number]) for number in hand)
    again = f"\n\nYour previous answer was not valid: {problem}." if problem else ""
    table = observation_text(observation, config)
    return f"{table}\n\nYou hold {cards}. Which card do you play?{again}"


def hand_of(observation: npt.NDArray[np.int8], config: GameConfig) -> list[int]:
    """The numbers of the cards that a seat holds, ascending."""
    hand = layout_of(config).views(observation)["hand"]
    numbers: list[int] = (np.flatnonzero(hand) + 1).tolist()
    return numbers
