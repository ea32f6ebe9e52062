"""A bot that is a program: it reads lines of JSON and answers each with a line.

    python program_bot.py --deals 20
    mindup arena "program_bot:ProgramBot:command=./my_bot" greedy

A line is a list with what each seat of a batch sees, the answer a list of the numbers of the cards
to play. So a program can be written in any language; the one below plays in Python.
"""

import argparse
import json
import shlex
import subprocess
import sys
from contextlib import suppress
from typing import Any
from weakref import finalize

import numpy as np
import numpy.typing as npt

from mindup_arena import win_share_against
from mindup_env import OFFICIAL_DECK, GameConfig, Layout

Array = npt.NDArray[Any]

PROGRAM = f"{shlex.quote(sys.executable)} {shlex.quote(__file__)} --play"


class ProgramBot:
    """Starts a program, which ends when its input does."""

    def __init__(self, config: GameConfig, command: str = PROGRAM) -> None:
        self.layout = Layout(config)
        self.command = command
        self.process: Any = subprocess.Popen(  # noqa: S603  # the command is the user's
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        finalize(self, self.process.communicate)

    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        asked = [self.describe(each) for each in observation]
        cards = json.loads(self.answer(json.dumps(asked)))
        if len(cards) != len(asked) or any(
            card not in seat["hand"] for card, seat in zip(cards, asked, strict=True)
        ):
            raise ValueError(f"{self.command}: not a card of each hand: {cards}")
        return np.array(cards, np.int64) - 1

    def describe(self, observation: Array) -> dict[str, Any]:
        """What one seat sees: the cards by their numbers, and all parts of the observation."""
        views = self.layout.views(observation)
        held = views["hand"].nonzero()[0] + 1
        prizes = views["row"].nonzero()[0] + 1
        return {
            "hand": held.tolist(),
            "row": prizes.tolist(),
            **{name: part.tolist() for name, part in views.items() if name not in ("hand", "row")},
        }

    def answer(self, line: str) -> str:
        with suppress(BrokenPipeError):  # it has ended, and there is no answer to read
            print(line, file=self.process.stdin, flush=True)
        answer: str = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.command}: the program ended without an answer")
        return answer


def program() -> None:
    """The program: a low, middle or high card, as the best prize of the row is."""
    points = {card.number: card.points for card in OFFICIAL_DECK}
    for line in sys.stdin:
        cards = []
        for seat in json.loads(line):
            hand = seat["hand"]
            row = seat["row"]
            prizes = [points[card] for card in row]
            best = prizes.index(max(prizes))
            cards.append(hand[(len(hand) - 1) * best // (len(row) - 1)])
        print(json.dumps(cards), flush=True)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--command", default=PROGRAM, help="starts the program")
    parser.add_argument("--play", action="store_true", help="be the program")
    given = parser.parse_args(words)
    if given.play:
        program()
        return
    config = GameConfig(num_players=4)
    share = win_share_against(ProgramBot(config, given.command), "random", config, given.deals)
    print(
        f"win share against three random: {share.value:.2f} ({share.low:.2f} to {share.high:.2f})"
    )


if __name__ == "__main__":
    main()
