"""Where an observation contradicts itself, in words."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env.belief.observed import Observed
from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.batch import Batch
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.objectives import OBJECTIVES
from mindup_env.observation import LayoutPart, layout_of


def read(observation: Any, config: GameConfig) -> Observed:
    """What an observation tells; one that no game of ``config`` could give is refused.

    Whatever the rest of an observation decides, such as its scores, is left to ``check_agreement``.
    """
    layout = layout_of(config)
    given = np.asarray(observation)
    if given.shape != (layout.size,) or given.dtype != np.int8:
        raise ValueError(
            f"an observation of one seat is an int8 vector of {layout.size} entries with this "
            f"config, not {given.dtype} of the shape {given.shape}"
        )
    seen = Observed(config, Batch(config, 0).rules, layout.views(given))
    for part in layout.table_parts + layout.player_parts:
        _check_bounds(part, seen.parts[part.name])
    for fault in _faults(seen):  # each may rely on what those before it found in order
        raise ValueError(f"the observation contradicts itself: {fault}")
    return seen


def check_agreement(seen: Observed, sampled: Int8Array) -> None:
    """Refuses an observation that differs from what the viewer sees of the game made from it."""
    expected = layout_of(seen.config).views(sampled)
    for name, given in seen.parts.items():
        if (given != expected[name]).any():
            raise ValueError(
                f"the observation contradicts itself: by its other parts, `{name}` is "
                f"{expected[name].tolist()}, not {given.tolist()}"
            )


def _check_bounds(part: LayoutPart, values: npt.NDArray[Any]) -> None:
    outside = values[(values < part.low) | (values > part.high)]
    if outside.size:
        raise ValueError(
            f"`{part.name}` of an observation is {part.low} to {part.high} with this config "
            f"({part.meaning}), not {outside[0]}"
        )


def _faults(seen: Observed) -> Iterator[str]:
    yield from _faults_of_time(seen)
    yield from _faults_of_table(seen)
    yield from _faults_of_objectives(seen)
    for player in range(seen.config.num_players):
        who = f"opponent {player}" if player else "the viewer"
        yield from _faults_of_hand(seen, player, who)
        yield from _faults_of_tableau(seen, player, who)


def _faults_of_time(seen: Observed) -> Iterator[str]:
    turn, turns = int(seen.parts["turn"]), seen.round_size - 1
    where = f"turn {turn} of round {seen.round_ + 1}"
    if turn < 1 or seen.round_ < 0:
        yield f"it is {where}, and both count from 1"
    if turn > turns:
        yield f"it is {where}, which has {turns}"
    if seen.over and (turn < turns or seen.round_ + 1 < seen.config.num_rounds):
        yield f"the viewer's hand is empty in {where}, before the end"
    if len(seen.hand) != seen.hand_left:
        yield f"in {where} a hand has {seen.hand_left} cards, and the viewer's has {len(seen.hand)}"


def _faults_of_table(seen: Observed) -> Iterator[str]:
    repeated = (np.flatnonzero(seen.places > 1) + 1).tolist()
    if repeated:
        yield f"in two places at once: the cards {repeated}"
    places = list(range(1, seen.config.num_players + 1))
    row = seen.parts["row"][seen.row].tolist()
    if row != places:
        yield f"the prizes, from the lowest card to the highest, lie at {row}, not at {places}"
    players = seen.parts["row_players"].tolist()
    if seen.clock > 0 and sorted(players) != places:
        yield f"each player played one prize of the row, but `row_players` is {players}"
    order = seen.parts["score_cards"].tolist()
    if tuple(sorted(order)) != SCORE_CARDS:
        yield f"the score cards are {order}, not each of {SCORE_CARDS} once"


def _faults_of_objectives(seen: Observed) -> Iterator[str]:
    number, shown, used = seen.config.num_objectives, seen.shown, seen.used
    if len(shown) != number:
        yield f"{len(shown)} objectives are shown, not {number}"
    if len(_letters(shown)) < number:
        yield "objectives of one letter are shown together"
    if not seen.config.objectives_renewed:
        return
    if len(used) != number * seen.round_:
        yield (
            f"{len(used)} objectives were used before round {seen.round_ + 1}, not "
            f"{number * seen.round_}"
        )
    if set(used.tolist()) & set(shown.tolist()):
        yield "an objective that is shown was used before"
    if seen.round_ == 1 and len(_letters(used)) < number:
        yield "objectives of one letter were shown together in round 1"


def _letters(objectives: Int64Array) -> set[str]:
    return {OBJECTIVES[index].letter for index in objectives}


def _faults_of_hand(seen: Observed, player: int, who: str) -> Iterator[str]:
    known, unknown = int(seen.parts["known"][player].sum()), int(seen.parts["unknown"][player])
    if known + unknown != seen.hand_left:
        yield f"{who} has {known} known and {unknown} unknown cards in a hand of {seen.hand_left}"
    if player == 0 and (seen.parts["known"][0] > seen.parts["hand"]).any():
        yield "of the viewer's cards some are known that are not in the hand"
    if seen.round_ == 0 and known > 0:
        yield f"cards of {who} are known in round 1"
    if seen.round_ > 0 and unknown > 1:
        yield f"{unknown} cards of {who} are unknown after round 1, where one was drawn"
    if seen.turns_played == 0 and unknown == 0:
        yield f"the card that {who} drew is gone before the first turn"


def _faults_of_tableau(seen: Observed, player: int, who: str) -> Iterator[str]:
    tableau, columns = seen.parts["tableaux"][player], seen.parts["columns"][player]
    taken = seen.round_size - seen.hand_left
    if tableau.sum() != taken:
        yield f"{who} has {tableau.sum()} cards in the tableau, not {taken}"
    colours = np.unique(seen.rules.card_colours[tableau > 0]).tolist()
    from_the_left = list(range(1, len(colours) + 1))
    lying = np.flatnonzero(columns).tolist()
    if lying != colours or sorted(columns[lying].tolist()) != from_the_left:
        yield f"`columns` of {who}, {columns.tolist()}, does not fit the colours of the tableau"
