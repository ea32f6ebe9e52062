"""The config, score cards and reward as parameters of an OpenSpiel game: numbers and strings."""

import re
from collections.abc import Mapping
from typing import Any

from mindup_env.cards import OFFICIAL_DECK, Card, Deck, first_cards
from mindup_env.config import OPTION_FIELDS, GameConfig
from mindup_env.rewards import RewardWeights, parse_reward
from mindup_env.settings.checks import check_int

_OFFICIAL, _RANDOM = "official", "random"
_CARD = re.compile("([a-z]+)([+-][0-9]+)?")


def read_parameters(plain: Mapping[str, Any]) -> tuple[GameConfig, RewardWeights]:
    """The rules and the reward of an OpenSpiel game."""
    numbers = {field: plain[name] for name, field in OPTION_FIELDS.items()}
    values = [int(each) if each.isdecimal() else each for each in plain["score_cards"].split("/")]
    order: Any = None if values == [_RANDOM] else values
    config = GameConfig(**numbers, deck=read_deck(plain["deck"]), score_order=order)
    return config, parse_reward(plain["reward"])


def to_parameters(config: GameConfig, reward: str) -> dict[str, Any]:
    """The inverse of ``read_parameters``; score cards such as 2/4/1/5/3 stay in every round."""
    order = config.score_order
    return {
        **{name: getattr(config, field) for name, field in OPTION_FIELDS.items()},
        "deck": deck_text(config.deck),
        "score_cards": _RANDOM if order is None else "/".join(map(str, order)),
        "reward": reward,
    }


def read_deck(text: str) -> Deck:
    """A deck from ``official``, ``official:14`` (its first cards) or ``orange+1/pink/blue-1``."""
    name, colon, number = text.partition(":")
    if name != _OFFICIAL:
        cards = []
        for place, card in enumerate(text.split("/"), start=1):
            found = _CARD.fullmatch(card)
            if not found:
                raise ValueError(
                    f"a card of a deck is a colour and points, such as orange+1, not {card!r}"
                )
            cards.append(Card(place, found[1], int(found[2] or 0)))
        return Deck(tuple(cards))
    if not colon:
        return OFFICIAL_DECK
    if not number.isdecimal():
        raise ValueError(
            f"deck must be {_OFFICIAL}, its first cards such as {_OFFICIAL}:14, or cards such as "
            f"orange+1/pink/blue-1, not {text!r}"
        )
    return first_cards(check_int("the cards of a deck", int(number), 1, len(OFFICIAL_DECK)))


def deck_text(deck: Deck) -> str:
    if deck == OFFICIAL_DECK:
        return _OFFICIAL
    if deck == first_cards(len(deck)):
        return f"{_OFFICIAL}:{len(deck)}"
    return "/".join(f"{card.colour}{card.points:+d}" for card in deck)


DEFAULTS = to_parameters(GameConfig(), "win")
"""OpenSpiel takes the type of a parameter from its default."""
