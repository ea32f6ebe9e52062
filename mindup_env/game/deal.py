"""An explicit deal: everything in a game that chance decides, checked before it is played."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mindup_env.checks import as_list, check_entries, check_int
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.state import Games
from mindup_env.objectives import OBJECTIVE_INDEX, OBJECTIVES


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
        if objectives is None:
            objectives = [()] * config.num_rounds
        deal = cls(
            _numbers("the deck of a deal", deck),
            tuple(
                _numbers(f"the score order of round {round_}", order)
                for round_, order in enumerate(as_list("score_orders", score_orders), start=1)
            ),
            tuple(
                tuple(map(str, as_list(f"the objectives of round {round_}", shown)))
                for round_, shown in enumerate(as_list("objectives", objectives), start=1)
            ),
        )
        deal.check(config)
        return deal

    @classmethod
    def from_dict(cls, config: GameConfig, plain: Mapping[str, Any]) -> "Deal":
        """The deal that ``to_dict`` saved, checked."""
        check_entries("a deal", plain, ("deck", "score_orders"), ("objectives",))
        return cls.of(config, plain["deck"], plain["score_orders"], plain.get("objectives"))

    def to_dict(self) -> dict[str, Any]:
        """The deal as plain data for JSON."""
        return {
            "deck": list(self.deck),
            "score_orders": [list(order) for order in self.score_orders],
            "objectives": [list(shown) for shown in self.objectives],
        }

    @classmethod
    def read(cls, games: Games, g: int) -> "Deal":
        """The deal of game ``g``."""
        return cls(
            tuple((games.deck[g] + 1).tolist()),
            tuple(tuple(order) for order in games.score_cards[g].tolist()),
            tuple(
                tuple(OBJECTIVES[index].id for index in shown)
                for shown in games.objectives[g].tolist()
            ),
        )

    def write(self, games: Games, g: int) -> None:
        """Puts the deal into game ``g``, which is not set up by that."""
        games.deck[g] = [number - 1 for number in self.deck]
        games.score_cards[g] = self.score_orders
        games.objectives[g] = [[OBJECTIVE_INDEX[id_] for id_ in shown] for shown in self.objectives]

    def check(self, config: GameConfig) -> None:
        """Refuses a deal that ``config`` and the rules do not allow."""
        self._check_deck(config)
        self._check_score_orders(config)
        self._check_objectives(config)

    def _check_deck(self, config: GameConfig) -> None:
        numbers = range(1, config.num_cards + 1)
        if sorted(self.deck) == list(numbers):
            return
        problems = {
            "missing": [card for card in numbers if card not in self.deck],
            "repeated": [card for card in numbers if self.deck.count(card) > 1],
            "unknown": [card for card in self.deck if card not in numbers],
        }
        found = [
            f"{kind}: {', '.join(map(str, cards))}" for kind, cards in problems.items() if cards
        ]
        raise ValueError(
            f"the deck of a deal must list each card from 1 to {config.num_cards} once; "
            f"{'; '.join(found)}"
        )

    def _check_score_orders(self, config: GameConfig) -> None:
        _check_one_per_round("score order", self.score_orders, config)
        for round_, order in enumerate(self.score_orders, start=1):
            if tuple(sorted(order)) != SCORE_CARDS:
                raise ValueError(
                    f"the score order of round {round_} is {order}; it must hold each of "
                    f"{SCORE_CARDS} once"
                )
            if config.score_order not in (None, tuple(order)):
                raise ValueError(
                    f"the score order of round {round_} is {order}; in this config it is "
                    f"{config.score_order} in every round"
                )

    def _check_objectives(self, config: GameConfig) -> None:
        _check_one_per_round("list of objectives", self.objectives, config)
        used: set[str] = set()
        for round_, shown in enumerate(self.objectives, start=1):
            where = f"the objectives of round {round_} are {shown}"
            if len(shown) != config.num_objectives:
                raise ValueError(f"{where}; this config shows {config.num_objectives}")
            unknown = [id_ for id_ in shown if id_ not in OBJECTIVE_INDEX]
            if unknown:
                raise ValueError(f"{where}; unknown: {unknown}; available: {list(OBJECTIVE_INDEX)}")
            if len({OBJECTIVES[OBJECTIVE_INDEX[id_]].letter for id_ in shown}) < len(shown):
                raise ValueError(f"{where}; objectives shown together must differ in letter")
            if config.objectives_renewed and used & set(shown):
                raise ValueError(
                    f"{where}; {sorted(used & set(shown))} were shown in an earlier round"
                )
            if not config.objectives_renewed and shown != self.objectives[0]:
                raise ValueError(
                    f"{where}; {config.num_objectives} objectives must stay as in round 1: "
                    f"{self.objectives[0]}"
                )
            used |= set(shown)


def _check_one_per_round(item: str, given: Sequence[object], config: GameConfig) -> None:
    if len(given) != config.num_rounds:
        raise ValueError(
            f"a deal has one {item} for each of the {config.num_rounds} rounds, not {len(given)}"
        )


def _numbers(name: str, values: Iterable[int]) -> tuple[int, ...]:
    return tuple(check_int(f"a card in {name}", value) for value in as_list(name, values))
