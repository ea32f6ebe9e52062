"""Games as episodes of RLlib, one for each seat that learns."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from ray.rllib.core.columns import Columns
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer

Floats = npt.NDArray[np.float32]

SHARED = "shared"
"""The id of the one module, which plays all seats that learn."""


class Trajectories(NamedTuple):
    """One game of every seat that learns."""

    rows: Floats  # (turns + 1, learners, features) the last one repeated
    cards: npt.NDArray[np.int64]  # (turns, learners) the actions
    logprobs: Floats  # (turns, learners) of the actions
    logits: Floats  # (turns, learners, cards)
    rewards: Floats  # (turns, learners)

    @classmethod
    def empty(cls, turns: int, learners: int, features: int, cards: int) -> "Trajectories":
        return cls(
            # RLlib requires an observation after the last decision; its value is not used.
            rows=np.zeros((turns + 1, learners, features), np.float32),
            cards=np.zeros((turns, learners), np.int64),
            logprobs=np.zeros((turns, learners), np.float32),
            logits=np.zeros((turns, learners, cards), np.float32),
            rewards=np.zeros((turns, learners), np.float32),
        )


def agent_ids(num_players: int) -> list[str]:
    return [f"player_{seat}" for seat in range(num_players)]


def episodes(
    played: Trajectories, name: str, seats: npt.NDArray[np.int64], learning_seats: int
) -> Iterator[SingleAgentEpisode]:
    """One episode for each learner; those of the same game are consecutive."""
    for learner, seat in enumerate(seats.tolist()):
        outputs = {
            Columns.ACTION_LOGP: _buffer(played.logprobs[:, learner]),
            Columns.ACTION_DIST_INPUTS: _buffer(played.logits[:, learner]),
        }
        yield SingleAgentEpisode(
            id_=f"{name}-{learner}",
            agent_id=f"player_{seat}",
            module_id=SHARED,
            multi_agent_episode_id=f"{name}-{learner // learning_seats}",
            observations=_buffer(played.rows[:, learner]),
            actions=_buffer(played.cards[:, learner]),
            rewards=_buffer(played.rewards[:, learner]),
            extra_model_outputs=outputs,
            terminated=True,
            len_lookback_buffer=0,
        )


def _buffer(values: npt.NDArray[np.generic]) -> InfiniteLookbackBuffer:
    """An array as RLlib's own buffers hold it, without a list of single values first."""
    buffer = InfiniteLookbackBuffer()
    buffer.data = np.ascontiguousarray(values)
    buffer.finalized = True
    return buffer
