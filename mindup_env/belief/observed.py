"""Observations in the numbers of the engine; one that contradicts itself is refused."""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.config import GameConfig
from mindup_env.engine.batch import rules_of
from mindup_env.engine.clock import first_draw, first_turn
from mindup_env.engine.state import Int8Array, Int64Array, Rules
from mindup_env.observation import Layout, layout_of


class ContradictionError(ValueError):
    """An observation that no game can show."""

    def __init__(self, problem: object) -> None:
        super().__init__(f"the observation contradicts itself: {problem}")


class Observed:
    """B games as their viewers, player 0, see them. Cards, rounds and turns count from 0.

    What needs a possible round and turn is computed when it is asked for, after the checks. The
    attributes that are no arrays are those of games which are all at the same turn.
    """

    def __init__(
        self, config: GameConfig, rules: Rules, parts: dict[str, npt.NDArray[Any]]
    ) -> None:
        self.config, self.rules = config, rules
        self.parts = parts  # the views of the layout (B, ...)
        self.rounds = parts["round"].astype(np.int64) - 1
        self.are_over = parts["hand"].max(axis=1) == 0
        cards = config.hand_size + self.rounds
        # The cards in each tableau (B,).
        self.taken_cards = np.where(self.are_over, cards, parts["turn"].astype(np.int64) - 1)
        # In how many visible places each card is (B, num_cards).
        self.places = parts["hand"].astype(np.int64) + (parts["row"] > 0)
        self.places += parts["tableaux"].sum(axis=1) + parts["known"][:, 1:].sum(axis=1)

    def pick(self, indices: Int64Array) -> "Observed":
        """The games at ``indices``."""
        return Observed(self.config, self.rules, {k: v[indices] for k, v in self.parts.items()})

    @cached_property
    def clocks(self) -> Int64Array:
        """Turns played since each game began (B,)."""
        before = [first_turn(self.rules, round_) for round_ in range(self.config.num_rounds)]
        clocks: Int64Array = np.array(before)[self.rounds] + self.parts["turn"] - 1 + self.are_over
        return clocks

    @property
    def round_(self) -> int:
        return int(self.rounds[0])

    @property
    def taken(self) -> int:
        """Number of cards in each tableau."""
        return int(self.taken_cards[0])

    @property
    def past_visible(self) -> bool:
        """Whether all plays and prizes since the deal are visible: before and after one turn."""
        # The turn that ends a round adds the cards left over to the tableaux.
        return self.round_ == 0 and self.taken < 2 and not self.are_over[0]

    @property
    def cards_drawn(self) -> int:
        """Number of cards of the deck that are drawn so far."""
        return first_draw(self.rules, self.round_ + 1)

    @cached_property
    def row(self) -> Int64Array:
        """The prizes, ascending (B, num_players)."""
        return members(self.parts["row"])

    @property
    def last_turn(self) -> Int64Array:
        """The card that each player played in the last turn (B, num_players)."""
        return np.take_along_axis(self.row, self.parts["row_players"].argsort(axis=1), axis=1)

    @property
    def known_hands(self) -> npt.NDArray[np.int8]:
        """The cards of every hand that the viewer knows (B, num_players, num_cards)."""
        known = self.parts["known"].copy()
        known[:, 0] = self.parts["hand"]
        return known


def members(entries: npt.NDArray[np.integer]) -> Int64Array:
    """The indices (..., n) of entries (..., size) that are not 0, which are n everywhere."""
    found: Int64Array = entries.nonzero()[-1]
    return found.reshape(*entries.shape[:-1], -1)


@lru_cache
def _bounds(layout: Layout) -> tuple[Int8Array, Int8Array]:
    return layout.low, layout.high


def read_observations(given: npt.NDArray[Any], config: GameConfig) -> Observed:
    """Reads observations (B, size); one from which no game of ``config`` can be made is refused.

    Whether that game is possible, and shows this observation, is left to ``sampling``.
    """
    layout = layout_of(config)
    if given.ndim != 2 or given.shape[1] != layout.size or given.dtype != np.int8:
        raise ValueError(
            f"observation must be an int8 vector of {layout.size} entries with this config, or "
            f"several (B, {layout.size}), not {given.dtype} of shape {given.shape}"
        )
    seen = Observed(config, rules_of(config), layout.views(given))
    low, high = _bounds(layout)
    wrong = (given < low) | (given > high)
    if wrong.any():
        of_parts = layout.views(wrong)
        part = next(
            each for each in layout.table_parts + layout.player_parts if of_parts[each.name].any()
        )
        outside = seen.parts[part.name][of_parts[part.name]]
        raise ValueError(
            f"`{part.name}` of an observation must be {part.low} to {part.high} with this "
            f"config ({part.meaning}), not {outside[0]}"
        )
    for are_wrong, text, *values in _contradictions(seen):  # a check can rely on those before it
        for at in np.argwhere(are_wrong):
            of_place = (np.broadcast_to(each, are_wrong.shape)[tuple(at)] for each in values)
            raise ContradictionError(text.format(*of_place))
    return seen


def refuse_disagreement(seen: Observed, game: int, sampled: Int8Array) -> None:
    """Says how an observation differs from that of a game sampled from it."""
    expected = layout_of(seen.config).views(sampled)
    for name, given in seen.parts.items():
        if (given[game] != expected[name]).any():
            raise ContradictionError(
                f"by its other parts, `{name}` must be {expected[name].tolist()}, not "
                f"{given[game].tolist()}"
            )


def _contradictions(seen: Observed) -> Iterator[tuple[Any, ...]]:
    """Where time, cards or objectives are wrong, (B, ...), and a text with the values for it.

    The rest follows from a game that is made of the observation.
    """
    config, parts, turn, round_ = seen.config, seen.parts, seen.parts["turn"], seen.rounds + 1
    turns = np.array([config.turns_of(each + 1) for each in range(config.num_rounds)])[seen.rounds]
    when = "turn {} of round {}: "
    yield (turn < 1) | (round_ < 1), when + "both must be at least 1", turn, round_
    yield turn > turns, when + "this round has {} turns", turn, round_, turns
    early = seen.are_over & ((turn < turns) | (round_ < config.num_rounds))
    yield early, when + "the viewer's hand is empty before the end", turn, round_
    hand, taken = parts["hand"].sum(axis=1), seen.taken_cards
    left = config.hand_size + seen.rounds - taken
    text = when + "a hand has {} cards, but the viewer's has {}"
    yield hand != left, text, turn, round_, left, hand
    numbers, row = np.arange(1, config.num_cards + 1), parts["row"]
    yield seen.places > 1, "card {} is in two places", numbers
    prizes, places = config.num_players, (row > 0) * (row > 0).cumsum(axis=1)
    yield row != places, "`row` of the prize {} must be {}, not {}", numbers, places, row
    yield row.max(axis=1) != prizes, "`row` must have {} prizes, not {}", prizes, row.max(axis=1)

    left, taken, later = left[:, None], taken[:, None], seen.rounds[:, None] > 0
    known, tableau = (parts[name].sum(axis=2) for name in ("known", "tableaux"))
    who = np.array(["the viewer", *(f"opponent {each}" for each in range(1, prizes))])
    unknown, text = parts["unknown"], "{} has {} known and {} unknown cards in a hand of {}"
    yield known + unknown != left, text, who, known, unknown, left
    text = "{} has {} unknown cards after round 1, but drew only one"
    yield later & (unknown > 1), text, who, unknown
    text = "{} has no unknown card before the first turn of the round"
    yield (taken == 0) & (unknown == 0), text, who
    yield tableau != taken, "{} must have {} cards in the tableau, not {}", who, taken, tableau

    number, renewed = config.num_objectives, config.objectives_renewed
    shown, used = (parts[name].sum(axis=1) for name in ("objectives", "objectives_used"))
    yield shown != number, "{} objectives must be shown, not {}", number, shown
    before = number * seen.rounds if renewed else used
    text = "{} objectives were used before round {}, not {}"
    yield used != before, text, before, round_, used
