"""A bot that plays a uniformly random legal card."""

import numpy as np
import numpy.typing as npt

from mindup_env.checks import check_array
from mindup_env.config import GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.engine.streams import below


class RandomAgent:
    """Plays a uniformly random legal card."""

    def __init__(self, config: GameConfig) -> None:
        self._num_cards = config.num_cards

    def act(
        self,
        observation: npt.NDArray[np.int8],  # noqa: ARG002  # not needed
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],  # noqa: ARG002  # it has no memory
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        rows = action_mask.shape[:1] if isinstance(action_mask, np.ndarray) else (1,)
        check_array("action_mask", action_mask, (*rows, self._num_cards), kind="int8")
        check_array("random_bits", random_bits, rows, kind="uint64")
        actions = np.zeros(rows, np.int64)
        choose_at_random(action_mask, random_bits, actions)
        return actions

    def play_probabilities(
        self, _: object, action_mask: npt.NDArray[np.int8], *_more: object
    ) -> npt.NDArray[np.floating]:
        """The probability of each card (B, num_cards)."""
        odds: npt.NDArray[np.floating] = action_mask / action_mask.sum(1, keepdims=True)
        return odds


@kernel
def choose_at_random(
    masks: Int8Array, random_bits: npt.NDArray[np.uint64], actions: Int64Array
) -> None:
    """Fills ``actions`` (B,) with a random action that ``masks`` (B, num_cards) allow."""
    for row in range(len(masks)):
        allowed = 0
        for action in range(masks.shape[1]):
            allowed += masks[row, action] != 0
        remaining = below(random_bits[row] >> np.uint64(32), allowed)
        for action in range(masks.shape[1]):
            if masks[row, action]:
                if remaining == 0:
                    actions[row] = action
                    break
                remaining -= 1
