"""One observation in the numbers of the engine; one that contradicts itself is refused."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.cards import numbers_of
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.batch import rules_of
from mindup_env.engine.clock import Moment, first_draw, first_turn, moment_after
from mindup_env.engine.state import COLOUR_POINTS, NUM_PARTS, Int8Array, Int64Array, Rules
from mindup_env.game.record import Start
from mindup_env.observation import Layout, layout_of


class ContradictionError(ValueError):
    """An observation that no game can show."""

    def __init__(self, problem: object) -> None:
        super().__init__(f"the observation contradicts itself: {problem}")


class Observed:
    """The game as the viewer, player 0, sees it. Cards, rounds and turns count from 0.

    What needs a possible round and turn is computed when it is asked for, after the checks.
    """

    def __init__(
        self, config: GameConfig, rules: Rules, parts: dict[str, npt.NDArray[Any]]
    ) -> None:
        self.config, self.rules = config, rules
        self.parts = parts  # the views of the layout
        self.over = not parts["hand"].any()
        self.round_ = int(parts["round"]) - 1
        self.hand = np.flatnonzero(parts["hand"])
        self.row = np.flatnonzero(parts["row"])  # the prizes, ascending
        self.shown = np.flatnonzero(parts["objectives"])
        self.used = np.flatnonzero(parts["objectives_used"])
        self.unknown: list[int] = parts["unknown"][1:].tolist()  # hand cards of each opponent
        # In how many visible places each card is (num_cards,).
        self.places = parts["hand"].astype(np.int64) + (parts["row"] > 0)
        self.places += parts["tableaux"].sum(axis=0) + parts["known"][1:].sum(axis=0)
        self.unseen = np.flatnonzero(self.places == 0)

    @property
    def clock(self) -> int:
        """Turns played since the game began."""
        turns = first_turn(self.rules, self.round_) + int(self.parts["turn"]) - 1
        return turns + 1 if self.over else turns

    @property
    def moment(self) -> Moment:
        return moment_after(self.rules, self.clock)

    @property
    def past_visible(self) -> bool:
        """Whether all plays and prizes since the deal are visible: before and after one turn."""
        # The turn that ends a round adds the cards left over to the tableaux.
        return self.round_ == 0 and self.moment.taken < 2 and not self.over

    @property
    def cards_drawn(self) -> int:
        """Number of cards of the deck that are drawn so far."""
        return first_draw(self.rules, self.round_ + 1)

    @property
    def last_turn(self) -> Int64Array:
        """The card that each player played in the last turn (num_players,)."""
        return self.row[self.parts["row_players"].argsort()]

    @property
    def known_hands(self) -> Int64Array:
        """The cards of every hand that the viewer knows, as sets (num_players,)."""
        known = self.parts["known"].astype(np.int64)
        known[0] = self.parts["hand"]
        sets: Int64Array = (known << np.arange(self.config.num_cards)).sum(axis=1)
        return sets

    def start(self, hands: Int64Array) -> Start:
        """A state that shows the viewer this observation, with the ``hands``, sets (num_players,).

        So do others with another past: of points, only totals are visible, and of a tableau not the
        order within columns.
        """
        points = np.zeros((self.round_, self.config.num_players, NUM_PARTS), np.int64)
        points[..., COLOUR_POINTS] = self.parts["round_scores"][:, : self.round_].T
        columns = self.parts["columns"][:, self.rules.card_colours]
        outside = np.where(self.parts["tableaux"], columns, len(SCORE_CARDS) + 1)
        # Column by column, each ascending: the sort is stable, and other cards come last.
        tableaux = np.argsort(outside, axis=1, kind="stable")[:, : self.moment.taken]
        cards = np.array([numbers_of(hand) for hand in hands.tolist()], np.int64) - 1
        return Start(self.clock, self.last_turn, cards, tableaux, points)


@lru_cache
def _bounds(layout: Layout) -> tuple[Int8Array, Int8Array]:
    return layout.low, layout.high


def read_observation(observation: Any, config: GameConfig) -> Observed:
    """Reads an observation; one from which no game of ``config`` can be made is refused.

    Whether that game is possible, and shows this observation, is left to ``sampling``.
    """
    layout = layout_of(config)
    given = np.asarray(observation)
    if given.shape != (layout.size,) or given.dtype != np.int8:
        raise ValueError(
            f"observation must be an int8 vector of {layout.size} entries with this config, not "
            f"{given.dtype} of shape {given.shape}"
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
    for contradiction in _contradictions(seen):  # a check can rely on those before it
        raise ContradictionError(contradiction)
    return seen


def refuse_disagreement(seen: Observed, sampled: Int8Array) -> None:
    """Says how an observation differs from that of a game sampled from it."""
    expected = layout_of(seen.config).views(sampled)
    for name, given in seen.parts.items():
        if (given != expected[name]).any():
            raise ContradictionError(
                f"by its other parts, `{name}` must be {expected[name].tolist()}, not "
                f"{given.tolist()}"
            )


def _contradictions(seen: Observed) -> Iterator[str]:
    """What is wrong with the time and with the numbers of cards and objectives.

    The rest follows from a game that is made of the observation.
    """
    yield from _table_contradictions(seen)
    for player in range(seen.config.num_players):
        yield from _player_contradictions(seen, player)
    number, renewed = seen.config.num_objectives, seen.config.objectives_renewed
    if len(seen.shown) != number:
        yield f"{number} objectives must be shown, not {len(seen.shown)}"
    before = number * seen.round_ if renewed else len(seen.used)
    if len(seen.used) != before:
        yield f"{before} objectives were used before round {seen.round_ + 1}, not {len(seen.used)}"


def _table_contradictions(seen: Observed) -> Iterator[str]:
    turn, turns = int(seen.parts["turn"]), seen.config.turns_of(seen.round_ + 1)
    where = f"turn {turn} of round {seen.round_ + 1}"
    if turn < 1 or seen.round_ < 0:
        yield f"{where}: both must be at least 1"
    if turn > turns:
        yield f"{where}: this round has {turns} turns"
    if seen.over and (turn < turns or seen.round_ + 1 < seen.config.num_rounds):
        yield f"{where}: the viewer's hand is empty before the end"
    left = seen.moment.left
    if len(seen.hand) != left:
        yield f"{where}: a hand has {left} cards, but the viewer's has {len(seen.hand)}"
    repeated = (np.flatnonzero(seen.places > 1) + 1).tolist()
    if repeated:
        yield f"the cards {repeated} are in two places"
    places, row = [*range(1, seen.config.num_players + 1)], seen.parts["row"][seen.row].tolist()
    if row != places:
        yield f"`row` of the prizes, from the lowest card on, must be {places}, not {row}"


def _player_contradictions(seen: Observed, player: int) -> Iterator[str]:
    who, moment = f"opponent {player}" if player else "the viewer", seen.moment
    known, tableau, unknown = (
        int(seen.parts[name][player].sum()) for name in ("known", "tableaux", "unknown")
    )
    if known + unknown != moment.left:
        yield f"{who} has {known} known and {unknown} unknown cards in a hand of {moment.left}"
    if seen.round_ > 0 and unknown > 1:
        yield f"{who} has {unknown} unknown cards after round 1, but drew only one"
    if moment.taken == 0 and unknown == 0:
        yield f"{who} has no unknown card before the first turn of the round"
    if tableau != moment.taken:
        yield f"{who} must have {moment.taken} cards in the tableau, not {tableau}"
