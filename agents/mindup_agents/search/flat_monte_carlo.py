"""Every card of the hand, tried in the same sampled games against the same cards of the others."""

from typing import Any

import numpy as np

from mindup_agents.heuristics.observed_games import Known
from mindup_agents.heuristics.playout import (
    Trial,
    choose_for_all,
    copy_deal,
    copy_row,
    copy_table,
    play_out,
    sit_down,
    world_bits,
)
from mindup_agents.heuristics.win_probability import chance_to_win
from mindup_agents.heuristics.workspace import Floats, Workspace
from mindup_env.engine import bitset
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Rules

SearchArrays = tuple[tuple[Any, ...], ...]
"""The fields of Rules, of Games twice (the sampled ones, and one to play on), of Known, Trial and
Room."""


@kernel
def try_cards(
    arrays: SearchArrays, belief: Floats, row_bits: np.uint64, first: int, end: int, chances: Floats
) -> None:
    """Adds the chances to win with each card to ``chances`` (num_cards,).

    The sampled games from ``first`` to before ``end`` are played; ``belief`` (num_players, models)
    tells how the rivals play.
    """
    rules, worlds, games = Rules(*arrays[0]), Games(*arrays[1]), Games(*arrays[2])
    known, trial, workspace = Known(*arrays[3]), Trial(*arrays[4]), Workspace(*arrays[5])
    for world in range(first, end):
        bits_here = world_bits(row_bits, world)
        sit_down(rules, trial, belief, bits_here)
        copy_deal(worlds, world, games)
        copy_table(worlds, world, games)
        choose_for_all(rules, games, known, trial, workspace, bits_here)
        copy_row(trial.cards[0], trial.base)
        hand = worlds.hands[world, 0]
        while hand != 0:
            card = bitset.lowest(hand)
            hand &= hand - 1
            copy_table(worlds, world, games)
            copy_row(trial.base, trial.cards[0])
            trial.cards[0, 0] = card
            play_out(rules, games, known, trial, workspace, bits_here)
            chances[card] += chance_to_win(rules, games, 0)
