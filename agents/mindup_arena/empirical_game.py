"""The game in which each player chooses a bot: who beats whom, where no order of bots says it all.

Its payoffs are the cross table of an arena. Ratings put bots on a line, and depend on how many weak
bots there are. Here only those opponents count that a good mixture of bots contains.

``nash_average`` is that of Balduzzi et al. (2018). ``alpha_rank`` is that of Omidshafiei et al.
(2019), computed by OpenSpiel. ``game_measures`` has both with intervals by bootstrap.
"""

from collections.abc import Sequence
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

from mindup_arena.estimate import Estimate, Floats, estimate_by_bootstrap
from mindup_env.settings.checks import check_array

_FEWEST_BOTS = 3
"""Two bots cannot beat each other in a circle."""
_LIBRARIES = "open_spiel", "matplotlib", "networkx"
HOW_TO_GET_ALPHA_RANK = "alpha-rank needs OpenSpiel: pip install 'mindup-env[arena,open-spiel]'"
_NOISE = 0.01
"""The probability of a switch to a bot that wins less; without it some tables have no answer."""
_TOLERANCE = 1e-9
_LARGEST_RATIO = 1e6  # of two weights that are both above 0


def game_measures(
    duels: Sequence[tuple[int, int]],
    shares: Floats,
    resampled: Floats,
    num_bots: int,
    num_deals: int,
) -> dict[str, list[Estimate]]:
    """The measures of every bot, by name; none if the cross table is not complete.

    Args:
        duels: The one and the field of each duel of the cross table.
        shares: The win share of each duel, from 0 to 1 (duels,).
        resampled: The same of each resample of the deals (resamples, duels).
        num_bots: Number of bots.
        num_deals: Number of deals.

    Returns:
        ``nash_average``, in points of win share, and in per cent ``nash_weight`` and, where its
        libraries are installed, ``alpha_rank``.
    """
    if num_bots < _FEWEST_BOTS or len(duels) < num_bots * (num_bots - 1):
        return {}
    # Of all deals, then of the resamples.
    cross = np.zeros((len(resampled) + 1, num_bots, num_bots))
    for (one, field), values in zip(duels, np.vstack([shares, resampled]).T, strict=True):
        cross[:, one, field] = values
    payoffs = payoffs_of(cross)
    tables, index = np.unique(payoffs, axis=0, return_inverse=True)  # few deals give few tables
    weights = np.array([nash_average(each) for each in tables])[index]  # (resamples + 1, bots)
    samples = {
        "nash_average": (payoffs @ weights[..., None])[..., 0],
        "nash_weight": weights,
    }
    if has_alpha_rank():
        samples["alpha_rank"] = alpha_rank(payoffs)
    return {
        name: [each.times(100) for each in estimate_by_bootstrap(values[0], values[1:], num_deals)]
        for name, values in samples.items()
    }


def _table(name: str, given: npt.ArrayLike) -> Floats:
    *several, bots = np.shape(given) or (0,)
    shape = (*several[:-1], bots, bots)
    table = check_array(name, given, shape, " (bots, bots)", "numbers")
    if not np.isfinite(table).all():
        raise ValueError(f"{name} must be finite")
    return table.astype(np.float64)


def payoffs_of(win_shares: npt.ArrayLike) -> Floats:
    """The payoffs (..., bots, bots) of row bots: half the differences of win shares of two bots.

    Args:
        win_shares: those of one row bot against copies of the column bot (..., bots, bots).
    """
    win_shares = _table("win_shares", win_shares)
    return (win_shares - win_shares.swapaxes(-1, -2)) / 2


def has_alpha_rank() -> bool:
    """Whether the libraries are installed; OpenSpiel's module also loads those for its pictures."""
    return all(find_spec(library) is not None for library in _LIBRARIES)


def alpha_rank(payoffs: npt.ArrayLike) -> Floats:
    """The shares (..., bots) of the time, with sum 1, from payoffs (..., bots, bots) of row bots.

    Only the sign of a payoff matters (infinite ranking intensity), not its size.
    """
    from open_spiel.python.egt import alpharank  # noqa: PLC0415  # optional, and slow to load

    payoffs = _table("payoffs", payoffs)
    tables = payoffs.reshape(-1, *payoffs.shape[-2:])
    signs, index = np.unique(np.sign(tables), axis=0, return_inverse=True)
    found = [
        alpharank.compute([each], use_inf_alpha=True, inf_alpha_eps=_NOISE)[2] for each in signs
    ]
    return np.array(found)[index].reshape(payoffs.shape[:-1])


def nash_average(payoffs: npt.ArrayLike) -> Floats:
    """The weights (bots,), with sum 1, of the Nash average of antisymmetric payoffs (bots, bots).

    Of all equilibria it is that of the largest entropy: there is only one such, and it gives copies
    of a bot equal weights.
    """
    payoffs = _table("payoffs", payoffs)
    if payoffs.ndim > 2 or not np.allclose(payoffs, -payoffs.T):
        raise ValueError("payoffs must be of one table, and antisymmetric: see payoffs_of")
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


def _largest_support(payoffs: Floats) -> npt.NDArray[np.bool_]:
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
    """The mixture of the largest entropy in the kernel that gives no other bot a payoff over 0.

    Its weights are proportional to exp(-prices @ limits), with a price for each limit: what lies
    outside of the kernel must be 0, and what the others get, at most 0. The right prices minimise
    a convex function without further constraints, whose gradient is the excess over the limits.
    """
    from scipy.optimize import minimize  # noqa: PLC0415  # an extra
    from scipy.special import logsumexp, softmax  # noqa: PLC0415

    outside = np.linalg.svd(kernel)[0][:, kernel.shape[1] :].T
    limits = np.vstack([outside, of_others])
    if len(limits) == 0:
        return np.full(len(kernel), 1 / len(kernel))

    def objective(prices: Floats) -> tuple[float, Floats]:
        return float(logsumexp(-prices @ limits)), -limits @ softmax(-prices @ limits)

    found = minimize(
        objective,
        np.zeros(len(limits)),
        jac=True,
        bounds=[(None, None)] * len(outside) + [(0, None)] * len(of_others),
        method="L-BFGS-B",
        options={"ftol": 0, "gtol": 1e-10, "maxiter": 10_000, "maxfun": 100_000},
    )
    return np.asarray(softmax(-found.x @ limits))
