"""When the champion drops cards, and which: most promise little after few sampled games."""

from math import erfc, exp, pi, sqrt

from mindup_agents.heuristics.workspace import Float64Array

LEAST_GAIN = 0.1
"""A card with a smaller gain is dropped. One as good as the best card has 0.4 after all worlds."""


def stages(worlds: int) -> list[int]:
    """After how many of the worlds cards are dropped; the last is the number of all of them.

    Each stage adds half as many worlds as there were. Fewer than eight tell little.
    """
    ends, end = [], max(8.0, worlds / 8)
    while end < worlds:
        ends.append(int(end))
        end *= 1.5
    return [*ends, worlds]


def kept_cards(values: Float64Array, worlds: int) -> list[int]:
    """The cards whose gain is large enough, and as the last one the best.

    The gain of a card is what changing to it would add to the win probability if one knew the true
    one, on average: it is taken to be normally distributed around the mean, and no change adds 0.
    The unit is the standard error of the distance to the best card after all worlds.

    Args:
        values: the values of the cards in the worlds so far (worlds, cards).
        worlds: the number of all worlds.
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
