"""The actions of a step: their shape and type, and what happens to an illegal one."""

import inspect
import warnings

import numpy as np

from mindup_env.cards import numbers_of
from mindup_env.engine.batch import Batch
from mindup_env.engine.state import Int64Array

ILLEGAL_ACTIONS = ("penalise", "raise")
"""``penalise``: the lowest legal card is played, and the reward loses 1. ``raise``: ValueError."""


class IllegalActionError(ValueError):
    """An action with a card that is not in the hand."""


class IllegalActionWarning(UserWarning):
    """An agent chose a card that is not in its hand; given once per environment."""


def check_illegal_action(option: str) -> str:
    """Refuses an unknown value of the argument ``illegal_action``."""
    if option not in ILLEGAL_ACTIONS:
        raise ValueError(f"illegal_action must be {' or '.join(ILLEGAL_ACTIONS)}, not {option!r}")
    return option


def refuse_illegal(batch: Batch, actions: Int64Array) -> None:
    """Raises an error that names the first illegal action, if any, and the legal ones."""
    hands, cards = batch.games.hands, np.clip(actions, 0, batch.config.num_cards - 1)
    illegal = (hands != 0) & ((cards != actions) | (hands >> cards & 1 == 0))
    if illegal.any():
        game, player = np.argwhere(illegal)[0].tolist()
        legal = [number - 1 for number in numbers_of(int(hands[game, player]))]
        raise IllegalActionError(
            f"in game {game}, player {player} cannot take action {actions[game, player]}; "
            f"legal are {legal}"
        )


def warn_of_illegal(what: str) -> None:
    """Gives the warning; it names the first caller outside of this package."""
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_globals["__name__"].startswith("mindup_env."):
        frame, level = frame.f_back, level + 1
    message = (
        f"{what}: the lowest card of the hand was played and the reward lowered by 1. Illegal "
        "actions are counted in info; this warning is shown once"
    )
    warnings.warn(IllegalActionWarning(message), stacklevel=level)
