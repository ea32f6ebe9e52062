"""Bots for the tests of the arena: they choose by the hand, the random bits and their options."""

# ruff: noqa: ARG002  # an agent gets more arguments than these bots read
import os
import sys
import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env import GameConfig

RandomBits = npt.NDArray[np.uint64]
Actions = npt.NDArray[Any]


class Salted:
    """A random card of the hand; another salt is another bot of the same strength."""

    def __init__(self, config: GameConfig, salt: int = 0) -> None:
        self._salt = np.uint64(salt)

    def act(self, observation: Any, action_mask: Any, starts: Any, bits: RandomBits) -> Actions:
        mixed = (bits ^ self._salt) * np.uint64(0x9E3779B97F4A7C15)
        allowed = action_mask.sum(axis=1, dtype=np.uint64)
        chosen = ((mixed >> np.uint64(33)) % allowed).astype(np.int64)
        return np.asarray((action_mask.cumsum(axis=1) == chosen[:, None] + 1).argmax(axis=1))


class Highest:
    """The highest card of the hand."""

    def __init__(self, config: GameConfig) -> None:
        self.calls: list[RandomBits] = []

    def act(self, observation: Any, action_mask: Any, starts: Any, bits: RandomBits) -> Actions:
        if starts.any():
            self.calls.clear()
        self.calls.append(bits.copy())
        highest = action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)
        action_mask[:] = 1  # makes no card legal
        return np.asarray(highest, np.uint64)


class Faulty(Highest):
    """Plays its highest cards and then makes a fault, at a call counted from 0 in its games."""

    def __init__(self, config: GameConfig, how: str = "raise", at: int = 0) -> None:
        super().__init__(config)
        self._how, self._at = how, at

    def act(self, observation: Any, action_mask: Any, starts: Any, bits: RandomBits) -> Actions:
        actions = super().act(observation, action_mask, starts, bits).astype(np.int64)
        return self._fail(actions) if len(self.calls) == self._at + 1 else actions

    def _fail(self, actions: Actions) -> Actions:
        match self._how:
            case "raise":
                raise ZeroDivisionError("one over none")
            case "exit":
                sys.exit(3)
            case "die":
                os._exit(3)
            case "hang":
                print("it hangs", flush=True)
                threading.Event().wait()
            case "nan":
                return actions * np.nan
            case "illegal":
                actions[:] = 0  # a card that one hand of a deal at most holds
            case "high":
                actions[-1] = 60
            case "negative":
                actions[-1] = -1
        return actions
