"""The protocol of a bot."""

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mindup_env.checks import check_array
from mindup_env.config import GameConfig
from mindup_env.observation import layout_of


class Agent(Protocol):
    """A bot: chooses cards for a batch of seats, each from what that seat sees.

    The choice of a row does not depend on other rows: all its randomness comes from its
    ``random_bits``, and memory is kept by row and cleared where ``episode_start`` is true.
    """

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        """Chooses a card for each row.

        Args:
            observation: what each seat sees, int8 (B, size).
            action_mask: 1 for each card of the hand, int8 (B, num_cards).
            episode_start: whether the game of the row has just begun, bool (B,).
            random_bits: 64 random bits for each row, uint64 (B,).

        Returns:
            Actions (B,): action ``a`` plays card number ``a + 1``.
        """
        ...


class ActArguments(NamedTuple):
    """The arguments of ``Agent.act``, for B seats."""

    observation: npt.NDArray[np.int8]  # (B, observation size)
    action_mask: npt.NDArray[np.int8]  # (B, num_cards)
    episode_start: npt.NDArray[np.bool_]  # (B,)
    random_bits: npt.NDArray[np.uint64]  # (B,)


def check_act_arguments(config: GameConfig, given: ActArguments) -> None:
    """Refuses arguments of another type or shape, for bots of compiled code."""
    observation, action_mask, episode_start, random_bits = given
    is_batch = isinstance(observation, np.ndarray) and observation.ndim == 2
    rows = len(observation) if is_batch else 1
    size = layout_of(config).size
    check_array(f"observation of {rows} rows", observation, (rows, size), kind="int8")
    check_array(f"action_mask of {rows} rows", action_mask, (rows, config.num_cards), kind="int8")
    check_array(f"episode_start of {rows} rows", episode_start, (rows,), kind="bool")
    check_array(f"random_bits of {rows} rows", random_bits, (rows,), kind="uint64")
