"""The probability of each card that a bot may play."""

from collections.abc import Sequence

import numpy as np

from mindup_env.agent.protocol import ActArguments, Agent
from mindup_env.checks import check_int, illegal_card
from mindup_env.engine.state import Float64Array
from mindup_env.observation.seen import Arrays


def play_probabilities(agent: Agent, seen: Sequence[Arrays], samples: int) -> Float64Array:
    """The probability that a bot plays each card now (B, num_cards).

    A bot with a method ``play_probabilities``, which takes what ``act`` takes, says it itself. For
    others, ``samples`` random bits are tried in each turn, the same ones for all seats and calls.
    ``seen`` is what B seats saw in each turn until now.
    """
    check_int("samples", samples, 1)
    rng = np.random.default_rng(0)
    bits = rng.integers(2**64, size=(len(seen), samples), dtype=np.uint64)
    mask = seen[-1]["action_mask"]
    rows = np.arange(len(mask)).repeat(samples)  # (B * samples,)
    for turn, each in enumerate(seen):
        now = ActArguments(
            each["observation"].repeat(samples, axis=0),
            each["action_mask"].repeat(samples, axis=0),
            np.full(len(rows), turn == 0),
            np.tile(bits[turn], len(mask)),
        )
        if turn < len(seen) - 1:
            agent.act(*now)
    if hasattr(agent, "play_probabilities"):
        odds: Float64Array = agent.play_probabilities(*now)[::samples]
    else:
        odds = np.zeros(mask.shape)
        np.add.at(odds, (rows, agent.act(*now)), 1 / samples)
    is_illegal = (odds > 0) & (mask == 0)
    for row in np.flatnonzero(is_illegal.any(1))[:1]:
        chosen = int(is_illegal[row].argmax()) + 1
        raise illegal_card("the bot", chosen, np.flatnonzero(mask[row]) + 1)
    return odds
