"""The bot ``champion-3``: most sampled games end early, and most cards are dropped soon.

Its networks are the results of ``mindup train champion --players N --workers 2``.
"""

from math import erfc, exp, pi, sqrt

from mindup_agents.heuristics.workspace import Float64Array
from mindup_agents.lookahead import Champion
from mindup_agents.lookahead.bot import Schedule

LEAST_GAIN = 0.1
"""A card with a smaller gain is dropped. One as good as the best card has 0.4 after all worlds."""


def stages(worlds: int) -> list[int]:
    """Each stage adds half as many worlds as there were. Fewer than eight tell little."""
    ends, end = [], max(8.0, worlds / 8)
    while end < worlds:
        ends.append(int(end))
        end *= 1.5
    return [*ends, worlds]


def ranked(values: Float64Array, worlds: int) -> list[int]:
    """The cards whose gain is large enough, and the best one.

    The gain of a card is what changing to it would add to the win probability if one knew the true
    one, on average: it is taken to be normally distributed around the mean, and no change adds 0.
    The unit is the standard error of the distance to the best card after all worlds.
    """
    means = values.mean(axis=0)
    best = int(means.argmax())
    distances = values[:, best, None] - values
    errors = distances.std(axis=0) / sqrt(len(values))
    kept = []
    for card, error in enumerate(errors.tolist()):
        if error == 0:  # the best card, or one that is as good in every world
            continue
        z = float(means[best] - means[card]) / error
        gain = exp(-z * z / 2) / sqrt(2 * pi) - z * erfc(z / sqrt(2)) / 2
        if gain * sqrt(worlds / len(values)) > LEAST_GAIN:
            kept.append(card)
    return [*sorted(kept, key=means.__getitem__), best]


class Champion3(Champion):
    """Plays the card that wins most in many short sampled games."""

    package = __name__
    schedule = Schedule(ends_early=True, stages=stages, ranked=ranked)
