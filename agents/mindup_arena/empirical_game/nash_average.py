"""The Nash average of Balduzzi et al. (2018): bots against the best mixture of all bots."""

from typing import NamedTuple

import numpy as np

from mindup_arena.estimate import Floats

_TOLERANCE = 1e-9
_LARGEST_RATIO = 1e6  # of two weights that are both above 0


class NashAverage(NamedTuple):
    """A Nash equilibrium of the game with the given payoffs, and how well each bot does in it."""

    weights: Floats  # (bots,) with sum 1
    payoffs: Floats  # (bots,) against the mixture of these weights; at most 0


def nash_average(payoffs: Floats) -> NashAverage:
    """The Nash average of antisymmetric payoffs (bots, bots) of row bots.

    Of all equilibria it is that of the largest entropy: there is only one such, and it gives copies
    of a bot equal weights.
    """
    weights = _weights(payoffs)
    return NashAverage(weights, payoffs @ weights)


def _weights(payoffs: Floats) -> Floats:
    beats_all = (payoffs > 0).sum(axis=1) == len(payoffs) - 1
    if beats_all.any():
        return beats_all.astype(np.float64)
    kernel = _kernel(payoffs)
    # Without a weight of 0, which rounding can show as above 0, it is the only equilibrium.
    if kernel.shape[1] == 1 and (kernel * np.sign(kernel.sum()) > _TOLERANCE).all():
        return np.asarray(kernel[:, 0] / kernel.sum())
    support = _largest_support(payoffs)
    # An equilibrium of a symmetric zero-sum game gives every bot of the support the payoff 0.
    kernel = _kernel(payoffs[np.ix_(support, support)])
    weights = np.zeros(len(payoffs))
    if kernel.shape[1] == 1:
        weights[support] = kernel[:, 0]
    else:
        weights[support] = _largest_entropy(kernel, payoffs[np.ix_(~support, support)])
    weights = np.maximum(weights / weights.sum(), 0)
    return weights / weights.sum()


def _largest_support(payoffs: Floats) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """The bots (bots,) with a weight above 0 in any equilibrium; the mean of two has those of both.

    A linear program finds them: each weight of a multiple of an equilibrium counts up to 1.
    """
    from scipy.optimize import linprog  # noqa: PLC0415  # an extra

    bots = len(payoffs)
    # Of the variables, the first half are weights, the second what they count.
    counted = np.hstack([np.zeros(bots), -np.ones(bots)])
    no_better = np.hstack([payoffs, np.zeros((bots, bots))])
    not_above_weight = np.hstack([-np.eye(bots), np.eye(bots)])
    found = linprog(
        counted,
        A_ub=np.vstack([no_better, not_above_weight]),
        b_ub=np.zeros(2 * bots),
        bounds=[(0, _LARGEST_RATIO)] * bots + [(0, 1)] * bots,
    )
    return np.asarray(found.x[bots:] > 0.5)


def _kernel(payoffs: Floats) -> Floats:
    """An orthonormal basis (bots, n) of the mixtures against which all payoffs are 0."""
    _, sizes, directions = np.linalg.svd(payoffs)
    return np.asarray(directions[sizes <= _TOLERANCE * max(1.0, sizes[0])].T)


def _largest_entropy(kernel: Floats, of_others: Floats) -> Floats:
    """The mixture of the largest entropy in the kernel that gives no other bot a payoff over 0."""
    from scipy.optimize import minimize  # noqa: PLC0415  # an extra

    def weights(coordinates: Floats) -> Floats:
        return np.maximum(kernel @ coordinates, 1e-300)

    at_least_0 = np.vstack([kernel, -of_others @ kernel])
    constraints = [
        {"type": "eq", "fun": lambda each: (kernel @ each).sum() - 1},
        {"type": "ineq", "fun": lambda each: at_least_0 @ each},
    ]
    uniform = np.full(len(kernel), 1 / len(kernel))
    found = minimize(
        lambda each: float(weights(each) @ np.log(weights(each))),
        kernel.T @ uniform,
        jac=lambda each: (np.log(weights(each)) + 1) @ kernel,
        constraints=constraints,
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    return np.asarray(kernel @ found.x)
