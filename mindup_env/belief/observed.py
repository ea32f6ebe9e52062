"""Checks the numbers of cards in an observation, before games are made of it."""

from mindup_env.config import GameConfig
from mindup_env.engine.batch import rules_of
from mindup_env.engine.clock import first_turn
from mindup_env.engine.state import Int8Array


def read_clock(views: dict[str, Int8Array], config: GameConfig) -> int | None:
    """The turns played before an observation; None if no turn has its numbers of cards.

    Whether the games made of it show the same is left to ``sampling``.
    """
    round_ = int(views["round"])
    turn = int(views["turn"])
    turns = config.turns_of(round_)
    is_over = round_ == config.num_rounds and not views["hand"].any()
    taken = turns + 1 if is_over else turn - 1
    left = turns + 1 - taken
    # In later rounds, the unknown card is the one drawn, until it is played.
    fewest = left if round_ == 1 else int(taken == 0)
    most = left if round_ == 1 else 1

    known = views["known"]
    unknown = views["unknown"]
    tableaux = views["tableaux"]
    is_row = views["row"] > 0
    seen = views["hand"] + is_row + tableaux.sum(0) + known[1:].sum(0)
    shown = config.num_objectives
    used = views["objectives_used"].sum()
    agrees = (
        1 <= round_ <= config.num_rounds
        and (turns if is_over else 1) <= turn <= turns
        and views["hand"].sum() == left
        and (known[0] <= views["hand"]).all()
        and is_row.sum() == config.num_players
        and seen.max() <= 1
        and (known.sum(1) + unknown == left).all()
        and ((fewest <= unknown) & (unknown <= most)).all()
        and (tableaux.sum(1) == taken).all()
        and views["objectives"].sum() == shown
        and (not config.objectives_renewed or used == shown * (round_ - 1))
    )
    return first_turn(rules_of(config), round_ - 1) + turn - 1 + is_over if agrees else None
