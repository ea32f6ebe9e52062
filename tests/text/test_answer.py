"""Answers: the last line names a card, or the error says what is wrong with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindup_env.text import parse_card

HAND = (3, 17, 45)
hands = st.sets(st.integers(1, 60), min_size=1, max_size=11)


@given(st.text(), hands, st.data(), st.sampled_from(["", "\n", " \n\n\t"]))
def test_the_last_line_is_the_card(
    thoughts: str, hand: set[int], data: st.DataObject, end: str
) -> None:
    card = data.draw(st.sampled_from(sorted(hand)))
    assert parse_card(f"{thoughts}\n  card {card} {end}", hand) == card


@given(st.text(), hands)
def test_any_other_text_is_refused_with_the_cards_of_the_hand(text: str, hand: set[int]) -> None:
    if text.strip().rpartition("\n")[2].strip() in {f"card {card}" for card in hand}:
        return
    with pytest.raises(ValueError, match=rf"one of {', '.join(map(str, sorted(hand)))}, for"):
        parse_card(text, hand)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("", "the answer is empty"),
        (" \n\t\n", "the answer is empty"),
        ("17", "the last line is '17'"),
        ("card 17.", "the last line is 'card 17.'"),
        ("**card 17**", "the last line is"),
        ("Card 17", "the last line is 'Card 17'"),
        ("card 017", "the last line is"),
        ("card  17", "the last line is"),
        ("card 17 45", "the last line is"),
        ("card \u0661\u0667", "the last line is"),
        ("card 17\nI hope to win.", "the last line is 'I hope to win.'"),
        ("card 18", "card 18 is not in your hand"),
        ("card 99", "card 99 is not in your hand"),
        ("card 100", "the last line is"),
        ("card " + "1" * 5000, "the last line is 'card 1111"),
    ],
)
def test_the_error_says_what_is_wrong(answer: str, problem: str) -> None:
    with pytest.raises(ValueError, match="it must be") as error:
        parse_card(answer, HAND)
    assert str(error.value).startswith(problem)
    assert str(error.value).endswith("one of 3, 17, 45, for example: card 3")
    assert len(str(error.value)) < 300
