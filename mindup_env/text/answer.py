"""The card that an answer names. The format is strict, so that no answer is guessed at."""

import re
from collections.abc import Collection

from mindup_env.settings.checks import shown

ANSWER_RULE = """\
How to answer. Think as long as you want, then end with a line that has the word "card", a space \
and the number of one card of your hand, and nothing else. For card 17 the last line is:
card 17"""

_LAST_LINE = re.compile(r"card ([1-9][0-9]?)")
_MOST_SHOWN = 80
"""Characters of a wrong last line that an error shows."""


def parse_card(answer: str, hand: Collection[int]) -> int:
    """The card number that an answer names in its last line, such as ``card 17``.

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
        cut = last if len(last) <= _MOST_SHOWN else f"{last[:_MOST_SHOWN]}..."
        raise ValueError(f"the last line is {shown(cut)}; {_expected(hand)}")
    card = int(found[1])
    if card not in hand:
        raise ValueError(f"card {card} is not in your hand; {_expected(hand)}")
    return card


def _expected(hand: Collection[int]) -> str:
    cards = sorted(hand)
    return (
        f'it must be "card" and one of {", ".join(map(str, cards))}, for example: card {cards[0]}'
    )
