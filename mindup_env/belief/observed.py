"""Checks an observation before games are made of it."""

import numpy as np

from mindup_env.checks import InputError
from mindup_env.config import GameConfig
from mindup_env.engine.batch import rules_of
from mindup_env.engine.clock import first_turn
from mindup_env.engine.state import Int8Array
from mindup_env.observation import Layout, layout_of


def read_clock(given: Int8Array, config: GameConfig) -> int:
    """The turns played before an observation (size,), whose numbers of cards are checked.

    Whether the games made of it show the same is left to ``sampling``.
    """
    layout = layout_of(config)
    _check_bounds(given, layout)
    views = layout.views(given)
    round_ = int(views["round"])
    turn = int(views["turn"])
    turns = config.turns_of(round_)
    hand = views["hand"].sum()
    is_over = bool(hand == 0 and round_ == config.num_rounds)
    taken = turns + 1 if is_over else turn - 1
    left = turns + 1 - taken
    # In later rounds, the unknown card is the one drawn, until it is played.
    fewest = left if round_ == 1 else int(taken == 0)
    most = left if round_ == 1 else 1

    known = views["known"]
    unknown = views["unknown"]
    tableaux = views["tableaux"]
    stray = (known[0] > views["hand"]).sum()
    is_row = views["row"] > 0
    seen = views["hand"] + is_row + tableaux.sum(0) + known[1:].sum(0)
    players = config.num_players
    shown = config.num_objectives
    used = views["objectives_used"].sum()
    used_before = shown * (round_ - 1) if config.objectives_renewed else used
    for what, numbers, low, high in (
        ("the round", round_, 1, config.num_rounds),
        ("the turn", turn, turns if is_over else 1, turns),
        ("the number of cards in the viewer's hand", hand, left, left),
        ("the number of the viewer's known cards outside the hand", stray, 0, 0),
        ("the number of prizes", is_row.sum(), players, players),
        ("how often card {} is seen", [0, *seen], 0, 1),
        ("the number of cards in the hand of player {}", known.sum(1) + unknown, left, left),
        ("the number of unknown cards of player {}", unknown, fewest, most),
        ("the number of cards in the tableau of player {}", tableaux.sum(1), taken, taken),
        ("the number of objectives", views["objectives"].sum(), shown, shown),
        ("the number of objectives used before", used, used_before, used_before),
    ):
        counts = np.atleast_1d(numbers)
        for index in np.flatnonzero((counts < low) | (counts > high))[:1]:
            accepted = f"{low}" if low == high else f"{low} to {high}"
            raise InputError(
                f"in turn {turn} of round {round_}, {what.format(index)} must be {accepted}, not "
                f"{counts[index]}"
            )
    return first_turn(rules_of(config), round_ - 1) + turn - 1 + is_over


def _check_bounds(given: Int8Array, layout: Layout) -> None:
    views = layout.views(given)
    is_outside = layout.views((given < layout.low) | (given > layout.high))
    for part in layout.table_parts + layout.player_parts:
        for value in views[part.name][is_outside[part.name]].ravel()[:1]:
            raise InputError(
                f"`{part.name}` must be {part.low} to {part.high} ({part.meaning}), not {value}"
            )
