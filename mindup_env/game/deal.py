"""An explicit deal: everything in a game that chance decides, checked before it is played."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from mindup_env.cards import OBJECTIVE_INDEX, OBJECTIVES
from mindup_env.checks import as_list, check_entries, check_int
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.state import Games


@dataclass(frozen=True)
class Deal:
    """The cards in the order in which they are drawn, the score cards and the objectives.

    Attributes:
        deck: all card numbers in draw order: the hand of player 0, of player 1, ..., then one card
            per player for the first row, then for each later round one card per player in seat
            order. The rest is never drawn.
        score_orders: for each round the values above the columns, left to right.
        objectives: for each round the ids of the objectives shown.
    """

    deck: tuple[int, ...]
    score_orders: tuple[tuple[int, ...], ...]
    objectives: tuple[tuple[str, ...], ...]

    @classmethod
    def of(
        cls,
        config: GameConfig,
        deck: Iterable[int],
        score_orders: Iterable[Iterable[int]],
        objectives: Iterable[Iterable[str]] | None = None,
    ) -> "Deal":
        """A deal for ``config``, checked against it and the rules; no objectives if None."""
        shown = [()] * config.num_rounds if objectives is None else objectives
        deal = cls(
            _numbers("the deck", deck),
            tuple(
                _numbers("a score order", each) for each in as_list("score_orders", score_orders)
            ),
            tuple(
                tuple(as_list("the objectives of a round", each))
                for each in as_list("objectives", shown)
            ),
        )
        deal.check(config)
        return deal

    @classmethod
    def from_dict(cls, config: GameConfig, plain: Mapping[str, Any]) -> "Deal":
        """The deal that ``to_dict`` saved, checked."""
        check_entries("a deal", plain, ("deck", "score_orders"), ("objectives",))
        return cls.of(config, **plain)

    def to_dict(self) -> dict[str, Any]:
        """The deal as plain data for JSON."""
        return asdict(self)

    @classmethod
    def read(cls, games: Games, g: int) -> "Deal":
        """The deal of game ``g``."""
        ids = [[OBJECTIVES[each].id for each in shown] for shown in games.objectives[g].tolist()]
        orders = games.score_cards[g].tolist()
        return cls(tuple((games.deck[g] + 1).tolist()), (*map(tuple, orders),), (*map(tuple, ids),))

    def write(self, games: Games, g: int) -> None:
        """Puts the deal into game ``g``, which is not set up by that."""
        games.deck[g] = [number - 1 for number in self.deck]
        games.score_cards[g] = self.score_orders
        games.objectives[g] = [[OBJECTIVE_INDEX[id_] for id_ in shown] for shown in self.objectives]

    def check(self, config: GameConfig) -> None:
        """Refuses a deal that ``config`` and the rules do not allow."""
        cards, rounds = range(1, config.num_cards + 1), config.num_rounds
        if cards_wrong := Counter(self.deck).items() ^ Counter(cards).items():
            raise ValueError(
                f"the deck must have each card from 1 to {len(cards)} once; missing, repeated or "
                f"unknown: {', '.join(map(str, sorted(dict(cards_wrong))))}"
            )
        if not len(self.score_orders) == len(self.objectives) == rounds:
            raise ValueError(
                f"a deal has score cards and objectives for {rounds} rounds, not for "
                f"{len(self.score_orders)} and {len(self.objectives)}"
            )
        for round_, (order, ids) in enumerate(zip(self.score_orders, self.objectives, strict=True)):
            if sorted(order) != [*SCORE_CARDS] or config.score_order not in (None, order):
                accepted = config.score_order or f"each of {SCORE_CARDS} once"
                raise ValueError(
                    f"the score order of round {round_ + 1} must be {accepted}, not {order}"
                )
            letters = {each.letter for each in OBJECTIVES if each.id in ids}
            used = [id_ for earlier in self.objectives[:round_] for id_ in earlier]
            if config.objectives_renewed:
                rule, wrong = "not used before", any(id_ in used for id_ in ids)
            else:
                rule, wrong = "the same as in round 1", ids != self.objectives[0]
            if wrong or not len(ids) == len(letters) == config.num_objectives:
                raise ValueError(
                    f"round {round_ + 1} must show {config.num_objectives} objectives, of "
                    f"different letters and {rule}, not {ids}"
                )


def _numbers(name: str, values: Iterable[int]) -> tuple[int, ...]:
    return tuple(check_int(f"a card of {name}", value) for value in as_list(name, values))
