"""Predictions of the cards that the other players play, which a bot may expose."""

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent

FloatArray = npt.NDArray[np.floating]


@runtime_checkable
class PlayPredictor(Protocol):
    """An optional protocol of agents: they predict what the other players play."""

    def predict_plays(self) -> FloatArray | None:
        """For the B rows of the last call of ``act``, by player after the own seat and by card.

        Each of these players - 1 probabilities of num_cards cards has the sum 1. None if the agent
        predicts nothing, such as a policy whose network has no predictions.
        """
        ...


def predicted_plays(agent: Agent) -> FloatArray | None:
    """What an agent predicted in its last call of ``act``, (B, players - 1, num_cards)."""
    return agent.predict_plays() if isinstance(agent, PlayPredictor) else None


def prize_probabilities(plays: FloatArray) -> FloatArray:
    """The probability (B, num_cards, players) that each card takes each prize, the lowest first.

    Args:
        plays: the probability (B, players - 1, num_cards) that each other player plays each card;
            the players choose independently.
    """
    lower = (plays.cumsum(axis=2) - plays).clip(0, 1)  # without what rounding adds
    places = np.zeros((*lower[:, 0].shape, lower.shape[1] + 1), lower.dtype)
    places[..., 0] = 1
    for opponent in range(lower.shape[1]):
        chance = lower[:, opponent, :, None]
        places[..., 1:] += (places[..., :-1] - places[..., 1:]) * chance
        places[..., :1] *= 1 - chance
    return places
