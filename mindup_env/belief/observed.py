"""An observation in the numbers of the engine; one from which no game can be made is refused."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.config import SCORE_CARDS, GameConfig
from mindup_env.engine.batch import rules_of
from mindup_env.engine.clock import first_turn
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.observation import layout_of


class ContradictionError(ValueError):
    """An observation that no game can show."""

    def __init__(self, problem: object) -> None:
        super().__init__(f"the observation contradicts itself: {problem}")


class Observed(NamedTuple):
    """A game as its viewer, player 0, sees it. Cards and rounds count from 0."""

    views: dict[str, Int8Array]  # the parts of the observation
    round_: int
    clock: int  # turns played since the game began
    row: Int64Array  # (num_players,) the prizes, ascending
    last_turn: Int64Array  # (num_players,) the card that each player played in the last turn
    tableaux: Int8Array  # (num_players, cards) column by column, each ascending


def read_observation(given: npt.NDArray[Any], config: GameConfig) -> Observed:
    """Reads an observation (size,); one from which no game of ``config`` can be made is refused.

    Whether the game that is made of it shows the same is left to ``sampling``.
    """
    layout = layout_of(config)
    if given.shape != (layout.size,) or given.dtype != np.int8:
        raise ValueError(
            f"observation must be an int8 vector of {layout.size} entries with this config, not "
            f"{given.dtype} of shape {given.shape}"
        )
    views, wrong = layout.views(given), layout.views((given < layout.low) | (given > layout.high))
    for part in layout.table_parts + layout.player_parts:
        if wrong[part.name].any():
            raise ValueError(
                f"`{part.name}` of an observation must be {part.low} to {part.high} with this "
                f"config ({part.meaning}), not {views[part.name][wrong[part.name]][0]}"
            )
    round_, turn = int(views["round"]), int(views["turn"])
    is_over = not views["hand"].any() and round_ == config.num_rounds
    taken = config.hand_size + round_ - 1 if is_over else turn - 1
    turns = config.turns_of(round_)
    for name, number, least, most in (
        ("the round", round_, 1, config.num_rounds),
        ("the turn", turn, turns if is_over else 1, turns),
        *_numbers_of_cards(config, views, taken),
    ):
        if not least <= number <= most:
            accepted = least if least == most else f"{least} to {most}"
            raise ContradictionError(
                f"in turn {turn} of round {round_}, {name} must be {accepted}, not {number}"
            )
    outside = len(SCORE_CARDS) + 1
    columns = views["columns"][:, rules_of(config).card_colours]  # (num_players, num_cards)
    columns = np.where(views["tableaux"], columns, outside)
    row = np.flatnonzero(views["row"])
    return Observed(
        views,
        round_ - 1,
        first_turn(rules_of(config), round_ - 1) + turn - 1 + is_over,
        row,
        row[views["row_players"].argsort()],
        columns.argsort(axis=1, kind="stable")[:, :taken].astype(np.int8),
    )


def _numbers_of_cards(
    config: GameConfig, views: dict[str, Int8Array], taken: int
) -> Iterator[tuple[str, int, int, int]]:
    """What is counted of cards and objectives, its number, and the least and most it may be."""
    is_first, left = views["round"] == 1, config.hand_size + int(views["round"]) - 1 - taken
    places = (
        views["hand"] + (views["row"] > 0) + views["tableaux"].sum(0) + views["known"][1:].sum(0)
    )
    yield "the number of cards in the viewer's hand", views["hand"].sum(), left, left
    players, prizes = config.num_players, int(np.count_nonzero(views["row"]))
    yield "the number of prizes", prizes, players, players
    yield f"the number of places of card {places.argmax() + 1}", places.max(), 0, 1
    for player, unknown in enumerate(views["unknown"].tolist()):
        who = f"opponent {player}" if player else "the viewer"
        known, tableau = (views[name][player].sum() for name in ("known", "tableaux"))
        yield f"the number of cards in the hand of {who}", known + unknown, left, left
        # In later rounds, it is the card drawn, until it is played.
        least, most = (left, left) if is_first else (int(taken == 0), 1)
        yield f"the number of unknown cards of {who}", unknown, least, most
        yield f"the number of cards in the tableau of {who}", tableau, taken, taken
    number = config.num_objectives
    yield "the number of objectives", views["objectives"].sum(), number, number
    if config.objectives_renewed:
        used = number * (int(views["round"]) - 1)
        yield "the number of objectives used before", views["objectives_used"].sum(), used, used
