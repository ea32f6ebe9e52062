"""The review of a game as text."""

from collections.abc import Sequence

from mindup_agents.review import Choice, GameReview
from mindup_env import Game
from mindup_env.game.table import aligned


def review_text(review: GameReview, games: Sequence[Game], names: Sequence[str], most: int) -> str:
    """The most expensive mistakes, then what came from the deal and what from choices."""
    return "\n\n".join([_mistakes(review, games, names, most), _luck(review, names)])


def _mistakes(review: GameReview, games: Sequence[Game], names: Sequence[str], most: int) -> str:
    found = review.mistakes
    if not found:
        return "no choice was clearly worse than another"
    lines = [["mistakes", "win chance", "played", "instead of", "where"]]
    first = len(games[0].plays)
    lines += [_mistake(choice, games[choice.turn - first], names) for choice in found[:most]]
    more = [f"... and {len(found) - most} more"] if len(found) > most else []
    return "\n".join([aligned(lines), *more])


def _mistake(choice: Choice, game: Game, names: Sequence[str]) -> list[str]:
    deck = game.config.deck
    return [
        names[choice.seat],
        f"{-choice.cost:+.1%}",
        str(deck[choice.played]),
        str(deck[choice.best]),
        f"round {game.round}, turn {game.turn} (turn {choice.turn} of the game)",
    ]


def _luck(review: GameReview, names: Sequence[str]) -> str:
    equal = 1 / review.num_players
    lines = [["luck and skill", "deal", "own choices", "the rest", "result"]]
    for seat, (name, cost) in enumerate(zip(names, review.costs, strict=True)):
        deal = float(review.deal.win_shares[seat])
        share = None if review.win_shares is None else review.win_shares[seat]
        rest = "" if share is None else f"{share - deal + cost:+.1%}"
        result = "" if share is None else f"{share:.1%}"
        lines.append([name, f"{deal - equal:+.1%}", f"{-cost:+.1%}", rest, result])
    return (
        f"{aligned(lines)}\n"
        f"an equal share is {equal:.1%}; deal: strong play of all seats from the same cards, "
        f"{review.deal.num_games} games,\nto ± {max(review.deal.margins):.1%}; the rest: what the "
        "others played, and chance"
    )
