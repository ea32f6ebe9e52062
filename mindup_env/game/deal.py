"""An explicit deal: everything in a game that chance decides, checked before it is played."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from mindup_env.cards import OBJECTIVE_INDEX, OBJECTIVES
from mindup_env.checks import as_list, check_entries, check_int
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine import kernels
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
        objectives = [()] * config.num_rounds if objectives is None else objectives
        orders, shown = as_list("score_orders", score_orders), as_list("objectives", objectives)
        deal = cls(
            _numbers("the deck", deck),
            tuple(_numbers("a score order", order) for order in orders),
            tuple(tuple(as_list("the objectives of a round", ids)) for ids in shown),
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
        shown = games.objectives[g].tolist()
        return cls(
            tuple((games.deck[g] + 1).tolist()),
            tuple(map(tuple, games.score_cards[g].tolist())),
            tuple(tuple(OBJECTIVES[index].id for index in of_round) for of_round in shown),
        )

    def write(self, games: Games, g: int) -> None:
        """Puts the deal into game ``g``, which is not set up by that."""
        games.deck[g] = [number - 1 for number in self.deck]
        games.score_cards[g] = self.score_orders
        games.objectives[g] = [[OBJECTIVE_INDEX[id_] for id_ in shown] for shown in self.objectives]

    def check(self, config: GameConfig) -> None:
        """Refuses a deal that ``config`` and the rules do not allow."""
        cards, rounds = range(1, config.num_cards + 1), config.num_rounds
        if sorted(self.deck) != [*cards]:
            count = self.deck.count
            wrong = {card for card in (*self.deck, *cards) if count(card) != (card in cards)}
            raise ValueError(
                f"the deck must have each card from 1 to {len(cards)} once; missing, repeated or "
                f"unknown: {', '.join(map(str, sorted(wrong)))}"
            )
        if not len(self.score_orders) == len(self.objectives) == rounds:
            raise ValueError(
                f"a deal has score cards and objectives for {rounds} rounds, not for "
                f"{len(self.score_orders)} and {len(self.objectives)}"
            )
        earlier = 0
        for round_, order in enumerate(self.score_orders, 1):
            if sorted(order) != [*SCORE_CARDS] or config.score_order not in (None, order):
                accepted = config.score_order or f"each of {SCORE_CARDS} once"
                raise ValueError(
                    f"the score order of round {round_} must be {accepted}, not {order}"
                )
            shown = self._check_objectives(config, round_, earlier)
            earlier |= shown if config.objectives_renewed else 0

    def _check_objectives(self, config: GameConfig, round_: int, earlier: int) -> int:
        """Checks those of a round, given the set that may not return; returns their set."""
        ids, first, shown = self.objectives[round_ - 1], self.objectives[0], 0
        if len(ids) != config.num_objectives or not (config.objectives_renewed or ids == first):
            same = f", which stay: {first}" if round_ > 1 and not config.objectives_renewed else ""
            raise ValueError(
                f"round {round_} must show {config.num_objectives} objectives{same}, not {ids}"
            )
        for id_ in ids:
            drawable = kernels.next_objectives(earlier, shown)
            accepted = [each.id for index, each in enumerate(OBJECTIVES) if drawable >> index & 1]
            if id_ not in accepted:
                raise ValueError(
                    f"an objective of round {round_} must be one of {', '.join(accepted)} (not "
                    f"used before, and of other letters than those beside it), not {id_!r}"
                )
            shown |= 1 << OBJECTIVE_INDEX[id_]
        return shown


def _numbers(name: str, values: Iterable[int]) -> tuple[int, ...]:
    return tuple(check_int(f"a card of {name}", value) for value in as_list(name, values))
