"""An explicit deal: all that chance decides in a game, checked before it is played."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from mindup_env.cards import OBJECTIVE_INDEX, OBJECTIVES
from mindup_env.checks import InputError, as_list, check_entries, check_int
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.state import Games


@dataclass(frozen=True)
class Deal:
    """The cards in the order in which they are drawn, the score cards and the objectives.

    Attributes:
        deck: all card numbers in draw order: the hand of player 0, of player 1, ...; then a card
            per player for the first row; then for each later round a card per player in seat
            order. The rest is never drawn.
        score_orders: for each round the values above the columns, left to right.
        objectives: for each round the ids of the objectives shown.
    """

    deck: tuple[int, ...]
    score_orders: tuple[tuple[int, ...], ...]
    objectives: tuple[tuple[str, ...], ...]

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "Deal":
        """The deal that ``to_dict`` saved; without objectives if they are left out."""
        check_entries("a deal", plain, ("deck", "score_orders"), ("objectives",))
        orders = as_list("score_orders", plain["score_orders"])
        shown = as_list("objectives", plain.get("objectives", [()] * len(orders)))
        return cls(
            _numbers("the deck", plain["deck"]),
            tuple(_numbers("a score order", each) for each in orders),
            tuple(tuple(as_list("the objectives of a round", each)) for each in shown),
        )

    def to_dict(self) -> dict[str, Any]:
        """The deal as plain data for JSON."""
        return asdict(self)

    @classmethod
    def read(cls, games: Games, g: int) -> "Deal":
        """The deal of game ``g``."""
        deck = (games.deck[g] + 1).tolist()
        orders = games.score_cards[g].tolist()
        shown = games.objectives[g].tolist()
        ids = [tuple(OBJECTIVES[index].id for index in indices) for indices in shown]
        return cls(tuple(deck), tuple(map(tuple, orders)), tuple(ids))

    def write(self, games: Games, g: int) -> None:
        """Puts the deal into game ``g``, which is to be set up then."""
        games.deck[g] = np.subtract(self.deck, 1)
        games.score_cards[g] = self.score_orders
        for round_, ids in enumerate(self.objectives):
            games.objectives[g, round_] = [OBJECTIVE_INDEX[id_] for id_ in ids]

    def check(self, config: GameConfig) -> None:
        """Refuses a deal that ``config`` and the rules do not allow."""
        cards = Counter(range(1, config.num_cards + 1))
        odd = dict(Counter(self.deck).items() ^ cards.items())
        if odd:
            raise InputError(
                f"the deck must have each card from 1 to {len(cards)} once; missing, repeated or "
                f"unknown: {', '.join(map(str, sorted(odd)))}"
            )
        if not len(self.score_orders) == len(self.objectives) == config.num_rounds:
            raise InputError(
                f"a deal has score cards and objectives for {config.num_rounds} rounds, not for "
                f"{len(self.score_orders)} and {len(self.objectives)}"
            )
        for round_, order in enumerate(self.score_orders, start=1):
            if sorted(order) != [*SCORE_CARDS] or config.score_order not in (None, order):
                accepted = config.score_order or f"each of {SCORE_CARDS} once"
                raise InputError(
                    f"the score order of round {round_} must be {accepted}, not {order}"
                )
        used: list[str] = []
        for round_, ids in enumerate(self.objectives, start=1):
            rule = "the same as in round 1"
            is_allowed = ids == self.objectives[0]
            if config.objectives_renewed:
                rule = "not used before"
                is_allowed = not any(id_ in used for id_ in ids)
            used += ids
            letters = {each.letter for each in OBJECTIVES if each.id in ids}
            if not is_allowed or not len(ids) == len(letters) == config.num_objectives:
                raise InputError(
                    f"round {round_} must show {config.num_objectives} objectives, of different "
                    f"letters and {rule}, not {ids}"
                )


def cards_drawn(config: GameConfig) -> list[int]:
    """How many cards are drawn each time: the hands, the row, and a card per later hand."""
    players = config.num_players
    later = [1] * players * (config.num_rounds - 1)
    return [config.hand_size] * players + [players] + later


def _numbers(name: str, values: Iterable[int]) -> tuple[int, ...]:
    return tuple(check_int(f"a card of {name}", value) for value in as_list(name, values))
