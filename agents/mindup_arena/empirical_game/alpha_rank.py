"""Alpha-rank: how long a population stays with each bot if it switches to bots that win more."""

from importlib.util import find_spec

import numpy as np

from mindup_arena.estimate import Floats

LIBRARIES = "open_spiel", "matplotlib", "networkx"
HOW_TO_GET_ALPHA_RANK = "alpha-rank needs OpenSpiel: pip install 'mindup-env[arena,open-spiel]'"
NOISE = 0.01
"""The probability of a switch to a bot that wins less; without it some tables have no answer."""


def has_alpha_rank() -> bool:
    """Whether the libraries are installed; OpenSpiel's module also loads those for its pictures."""
    return all(find_spec(library) is not None for library in LIBRARIES)


def alpha_rank(payoffs: Floats) -> Floats:
    """The shares (n, bots) of the time, with sum 1, from payoffs (n, bots, bots) of row bots.

    Only the sign of a payoff matters (infinite ranking intensity), not its size.
    """
    from open_spiel.python.egt import alpharank  # noqa: PLC0415  # optional, and slow to load

    signs, index = np.unique(np.sign(payoffs), axis=0, return_inverse=True)
    found = [
        alpharank.compute([each], use_inf_alpha=True, inf_alpha_eps=NOISE)[2] for each in signs
    ]
    return np.array(found)[index]
