"""Predictions of the cards that the other players play, which a bot may expose."""

from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent, as_agent
from mindup_env.config import GameConfig, check_config
from mindup_env.observation import layout_of

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


def predict_plays(
    bot: str | Agent,
    observation: npt.NDArray[np.int8],
    config: GameConfig | None = None,
    *,
    episode_start: npt.NDArray[np.bool_] | None = None,
    random_bits: npt.NDArray[np.uint64] | None = None,
) -> FloatArray:
    """What a bot expects every other player to play, from what B seats see.

    ``predictor``, ``search``, ``champion-2``, ``champion-3`` and policies with the network
    ``bidding-1`` predict cards. What they learned of a player's style is in the memory of an agent:
    give an agent, and call it turn by turn with the same rows, to use it. The number of sampled
    games does not change a prediction: ``champion-3:worlds=1`` predicts what ``champion-3`` does,
    and faster.

    Args:
        bot: an agent, or its spec for ``make_agent``.
        observation: what each seat sees, int8 (B, size).
        config: the game; the published one for four players if None.
        episode_start: where a game begins, whose memory of earlier turns is empty (B,); everywhere
            if None.
        random_bits: uint64 (B,), from which hidden cards are sampled; all 0 if None.

    Returns:
        Probabilities (B, players - 1, num_cards): entry ``[b, i, a]`` is that of card number
        ``a + 1`` for the player ``i + 1`` seats after the viewer.

    Raises:
        ValueError: if the bot predicts nothing.
    """
    config = check_config(config or GameConfig())
    agent = as_agent(bot, config)
    rows = len(observation)
    hands = layout_of(config).views(observation)["hand"]
    starts = np.ones(rows, np.bool_) if episode_start is None else episode_start
    bits = np.zeros(rows, np.uint64) if random_bits is None else random_bits
    agent.act(observation, hands.astype(np.int8), starts, bits)
    plays = predicted_plays(agent)
    if plays is None:
        raise ValueError(
            f"bot {bot!r} predicts no cards; accepted: predictor, search, champion-2, champion-3, "
            "and policies with the network bidding-1"
        )
    return plays


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
