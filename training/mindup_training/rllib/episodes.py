"""Games as RLlib's episodes: one for each seat that learns."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from ray.rllib.core.columns import Columns
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer

Floats = npt.NDArray[np.float32]

SHARED = "shared"
"""The module that plays all seats that learn."""


class Game(NamedTuple):
    """A whole game in every seat that learns."""

    rows: Floats  # (turns + 1, learners, inputs) the last one over again
    cards: npt.NDArray[np.int64]  # (turns, learners) the actions
    log_odds: Floats  # (turns, learners) of the actions
    logits: Floats  # (turns, learners, cards)
    rewards: Floats  # (turns, learners)

    @classmethod
    def empty(cls, turns: int, learners: int, features: int, cards: int) -> "Game":
        return cls(
            # RLlib wants to see what came after the last decision; it counts for nothing.
            rows=np.zeros((turns + 1, learners, features), np.float32),
            cards=np.zeros((turns, learners), np.int64),
            log_odds=np.zeros((turns, learners), np.float32),
            logits=np.zeros((turns, learners, cards), np.float32),
            rewards=np.zeros((turns, learners), np.float32),
        )


def agent_ids(num_players: int) -> list[str]:
    return [f"player_{seat}" for seat in range(num_players)]


def episodes(
    game: Game, name: str, seats: npt.NDArray[np.int64], at_a_table: int
) -> Iterator[SingleAgentEpisode]:
    """The games of one ``name``: each table has so many learners, beside each other."""
    for learner, seat in enumerate(seats.tolist()):
        outputs = {
            Columns.ACTION_LOGP: _buffer(game.log_odds[:, learner]),
            Columns.ACTION_DIST_INPUTS: _buffer(game.logits[:, learner]),
        }
        yield SingleAgentEpisode(
            id_=f"{name}-{learner}",
            agent_id=f"player_{seat}",
            module_id=SHARED,
            multi_agent_episode_id=f"{name}-{learner // at_a_table}",
            observations=_buffer(game.rows[:, learner]),
            actions=_buffer(game.cards[:, learner]),
            rewards=_buffer(game.rewards[:, learner]),
            extra_model_outputs=outputs,
            terminated=True,
            len_lookback_buffer=0,
        )


def _buffer(values: npt.NDArray[np.generic]) -> InfiniteLookbackBuffer:
    """In the form that RLlib would bring lists of single values to."""
    buffer = InfiniteLookbackBuffer()
    buffer.data = np.ascontiguousarray(values)
    buffer.finalized = True
    return buffer
