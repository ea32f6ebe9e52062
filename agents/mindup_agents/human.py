"""The bot ``human``: a person at the terminal."""

import sys
from typing import TextIO

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.observation import observation_text


def at_the_terminal(config: GameConfig) -> "Human":
    """Asks a person at the terminal."""
    return Human(config, sys.stdin, sys.stdout)


class Human:
    """Shows the table as the seat sees it, and asks until the answer is a legal card."""

    def __init__(self, config: GameConfig, answers: TextIO, screen: TextIO) -> None:
        self._config = config
        self._answers = answers
        self._screen = screen

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],  # noqa: ARG002  # a person decides
    ) -> npt.NDArray[np.integer]:
        actions = np.zeros(len(observation), np.int64)
        for row, (seen, mask) in enumerate(zip(observation, action_mask, strict=True)):
            if len(observation) > 1:
                self._say(f"\ngame {row + 1} of {len(observation)}")
            if episode_start[row]:
                self._say("\nA new game. you+1 sits after you, then you+2, and so on.")
            self._say(f"\n{observation_text(seen, self._config)}\n")
            actions[row] = self._ask((np.flatnonzero(mask) + 1).tolist()) - 1
        return actions

    def _ask(self, hand: list[int]) -> int:
        """A card number of the hand."""
        cards = {str(number): number for number in hand}
        self._say("you hold " + ", ".join(str(self._config.deck[number]) for number in hand))
        while True:
            answer = self._answer("which card do you play? ")
            if answer.lstrip("0") in cards:
                return cards[answer.lstrip("0")]
            self._say(f"{_problem(answer)}: choose one of {', '.join(cards)}")

    def _answer(self, question: str) -> str:
        print(question, end="", file=self._screen, flush=True)
        line = self._answers.readline()
        if not line:
            self._say("")  # ends the line of the question
            raise EOFError("the input ended before the game did")
        return line.strip()

    def _say(self, text: str) -> None:
        print(text, file=self._screen)


def _problem(answer: str) -> str:
    if not answer:
        return "enter the number of a card"
    if answer.isdecimal():
        return f"card {answer} is not in your hand"
    return f"{answer!r} is not the number of a card"
