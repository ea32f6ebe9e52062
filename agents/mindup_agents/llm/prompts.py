"""What a seat is asked, and the card that its answer names."""

import re
from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from mindup_env.cards import card_of
from mindup_env.config import GameConfig
from mindup_env.game.rules import rules_text
from mindup_env.observation import layout_of, observation_text
from mindup_env.observation.text import cards_of
from mindup_env.settings.checks import shortened, shown

# The rule is strict, so that no answer is guessed at.
ANSWER_RULE = """\
How to answer. Think as long as you want, then end with a line that has the word "card", a space \
and the number of one card of your hand, and nothing else. For card 17 the last line is:
card 17"""

# Models add capitals, a full stop and Markdown, none of which changes what is meant.
_LAST_LINE = re.compile(r"[*_`]*card\s+([1-9][0-9]?)[*_`.]*", re.IGNORECASE | re.ASCII)
_MOST_SHOWN = 83
"""Characters of a wrong last line that an error shows, with the dots of a longer one."""


def system_prompt(config: GameConfig) -> str:
    """The rules and how to answer, the same for all seats and turns of a game."""
    return f"{rules_text(config)}\n\n{ANSWER_RULE}"


def seat_prompt(
    observation: npt.NDArray[np.int8], config: GameConfig, problem: str | None = None
) -> str:
    """The user prompt of a seat whose turn it is; ``system_prompt`` has the rules.

    Everything that can be known about the game is in it: no earlier prompt is needed.

    Args:
        observation: what the seat sees, int8 (size,).
        config: the rules of the game.
        problem: what was wrong with the previous answer, as ``parse_card`` says it; the question
            is asked again.
    """
    hand = hand_of(observation, config)
    if not hand:
        raise ValueError("the game of this observation is over: there is no card to choose")
    cards = ", ".join(str(card_of(number)) for number in hand)
    again = f"\n\nYour previous answer was not valid: {problem}." if problem else ""
    table = observation_text(observation, config)
    return f"{table}\n\nYou hold {cards}. Which card do you play?{again}"


def hand_of(observation: npt.NDArray[np.int8], config: GameConfig) -> list[int]:
    """The numbers of the cards that a seat holds, ascending."""
    return cards_of(layout_of(config).views(observation)["hand"])


def parse_card(answer: str, hand: Collection[int]) -> int:
    """The card number that an answer names in its last line: ``card 17``, or ``**Card 17.**``.

    Args:
        answer: the text that a language model wrote; spaces around its last line are allowed.
        hand: the numbers of the cards that can be played.

    Raises:
        ValueError: if the last line is not of this form, or names a card that is not in the hand.
            The text of the error is written for the model: it says what is wrong and what is right.
    """
    last = answer.rstrip().rpartition("\n")[2].strip()
    found = _LAST_LINE.fullmatch(last)
    if not last:
        raise ValueError(f"the answer is empty; {_expected(hand)}")
    if found is None:
        cut = shown(shortened(last, _MOST_SHOWN))
        raise ValueError(f"the last line is {cut}; {_expected(hand)}")
    card = int(found[1])
    if card not in hand:
        raise ValueError(f"card {card} is not in your hand; {_expected(hand)}")
    return card


def _expected(hand: Collection[int]) -> str:
    # No card is an example here: models tend to play it.
    return f'it must be "card" and one of {", ".join(map(str, sorted(hand)))}'
