"""A bot that asks a language model, through any server with the interface of OpenAI.

    pip install openai
    OPENAI_BASE_URL=http://localhost:8000/v1 OPENAI_API_KEY=none \
        python language_model_bot.py --model NAME --deals 2
    mindup arena "language_model_bot:LanguageModel:model=NAME" random --deals 2

The system prompt has the rules, the user prompt the table as the seat sees it; no earlier prompt is
needed. After answers that name no card of the hand, a random one is played, and counted.
"""

import argparse
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
from openai import OpenAI

from mindup_arena import win_share_against
from mindup_env import GameConfig
from mindup_env.game.rules_text import rules_text
from mindup_env.observation import observation_text

Array = npt.NDArray[Any]

ATTEMPTS = 2
QUESTION = """
Which card of your hand do you play? Think as long as you want, then end with a line that has the
word "card" and its number, and nothing else, such as: card 17"""


class LanguageModel:
    """Asks for all seats of a batch at the same time, up to ``requests``."""

    def __init__(self, config: GameConfig, model: str, requests: int = 16) -> None:
        self.config = config
        self.model = model
        self.rules = rules_text(config)
        self.client = OpenAI()  # reads OPENAI_BASE_URL and OPENAI_API_KEY
        self.pool = ThreadPoolExecutor(requests)
        self.decisions = self.random_cards = 0

    def act(
        self, observation: Array, action_mask: Array, episode_start: Array, random_bits: Array
    ) -> Array:
        hands = [np.flatnonzero(mask) + 1 for mask in action_mask]
        found = list(self.pool.map(self.ask, observation, hands))
        self.decisions += len(found)
        self.random_cards += found.count(None)
        drawn = [hand[bits % len(hand)] for hand, bits in zip(hands, random_bits, strict=True)]
        cards = [card or other for card, other in zip(found, drawn, strict=True)]
        return np.array(cards, np.int64) - 1

    def ask(self, observation: Array, hand: Array) -> int | None:
        """The card that the model names; None if it named no card of the hand."""
        prompt = observation_text(observation, self.config) + QUESTION
        messages: Any = [
            {"role": "system", "content": self.rules},
            {"role": "user", "content": prompt},
        ]
        for _ in range(ATTEMPTS):
            reply = self.client.chat.completions.create(model=self.model, messages=messages)
            answer = reply.choices[0].message.content or ""
            named = re.search(r"card\W+(\d+)\W*$", answer, re.IGNORECASE)
            if named and int(named[1]) in hand:
                return int(named[1])
        return None


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", required=True, help="its name at the server")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--deals", type=int, default=2, help="each in all seat rotations")
    given = parser.parse_args(words)
    config = GameConfig(num_players=4)
    bot = LanguageModel(config, given.model)
    share = win_share_against(bot, given.opponent, config, given.deals)
    print(
        f"win share against three {given.opponent}: {share.value:.2f} "
        f"({share.low:.2f} to {share.high:.2f}); random cards in {bot.random_cards} of "
        f"{bot.decisions} decisions"
    )


if __name__ == "__main__":
    main()
