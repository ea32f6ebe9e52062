"""What ``mindup watch review`` writes to the terminal."""

from collections.abc import Sequence

from mindup_agents.review import GameReview
from mindup_env import Game
from mindup_env.cards import card_of
from mindup_env.game.table import aligned

_MOST_SHOWN = 10
"""Mistakes in the text, the most expensive first."""


def review_text(review: GameReview, games: Sequence[Game], names: Sequence[str]) -> str:
    return f"{_mistakes(review, games, names)}\n\n{_deal(review, names)}"


def _mistakes(review: GameReview, games: Sequence[Game], names: Sequence[str]) -> str:
    found = review.mistakes
    if not found:
        return "no choice was clearly worse than another"
    lines = [["mistakes", "win chance", "played", "instead of", "where"]]
    for choice in found[:_MOST_SHOWN]:
        game = games[choice.turn]
        played, best = (str(card_of(card)) for card in (choice.played, choice.best))
        where = f"round {game.round}, turn {game.turn} (turn {choice.turn} of the game)"
        lines.append([names[choice.seat], f"{-choice.cost:+.1%}", played, best, where])
    more = [f"... and {len(found) - _MOST_SHOWN} more"] if len(found) > _MOST_SHOWN else []
    return "\n".join([aligned(lines), *more])


def _deal(review: GameReview, names: Sequence[str]) -> str:
    """What each seat was worth."""
    equal = 1 / review.num_players
    shares = ([name, f"{share:.1%}"] for name, share in zip(names, review.deal, strict=True))
    return (
        f"{aligned([['deal', 'win chance'], *shares])}\n"
        f"as each seat could estimate it at the start; an equal share is {equal:.1%}"
    )
