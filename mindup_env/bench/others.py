"""Environments of other projects, to compare with. Each plays its first legal actions."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import pettingzoo

Calls = tuple[Callable[[], object], int]
"""A function to call repeatedly, and the number of decisions in each call."""


class OtherEnv(NamedTuple):
    """An environment of another project."""

    bench: str
    players: int
    needs: str  # a module that must be installed
    install: str  # its name and how to install it
    make: Callable[[], Calls]

    @property
    def installed(self) -> bool:
        return find_spec(self.needs) is not None


def leduc_holdem() -> Calls:
    """A card game of PettingZoo, decision by decision."""
    env = pettingzoo.make("aec", "classic/leduc_holdem-v4")

    def decisions() -> Iterator[None]:
        while True:
            env.reset()
            for _ in env.agent_iter():
                seen, _, over, cut_short, _ = env.last()
                env.step(None if over or cut_short else int(seen["action_mask"].argmax()))
                if not (over or cut_short):
                    yield

    return partial(next, decisions()), 1


def goofspiel() -> Calls:
    """Whole games of OpenSpiel's simultaneous bidding for four players, written in C++."""
    pyspiel: Any = import_module("pyspiel")
    game = pyspiel.load_game(
        "goofspiel(players=4,num_cards=13,imp_info=true,points_order=descending)"
    )
    players = range(game.num_players())

    def play() -> int:
        state, turns = game.new_initial_state(), 0
        while not state.is_terminal():
            for player in players:
                state.observation_tensor(player)
            state.apply_actions([state.legal_actions(player)[0] for player in players])
            turns += 1
        return turns

    return play, play() * len(players)


OTHERS = (
    OtherEnv(
        "leduc_holdem", 2, "rlcard", "PettingZoo's leduc_holdem: pip install rlcard", leduc_holdem
    ),
    OtherEnv("goofspiel", 4, "pyspiel", "OpenSpiel's goofspiel: pip install open_spiel", goofspiel),
)
