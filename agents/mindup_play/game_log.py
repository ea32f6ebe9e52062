"""A recorded game turn by turn, in words."""

from collections.abc import Sequence

from mindup_env import Game
from mindup_env.game.table import aligned, columns_text, objectives_text


def tell_turn(before: Game, after: Game) -> str:
    """What happened in a turn, and the table after it with all hands."""
    return f"{tell_plays(before, after)}\n\n{after}"


def tell_plays(before: Game, after: Game, names: Sequence[str] | None = None) -> str:
    """What was played and taken, and the scores if that ended a round: all of it public."""
    names = names or [f"player {player}" for player in range(before.config.num_players)]
    turn, turns = len(after.plays), after.config.num_turns
    headline = f"turn {turn} of {turns}: round {before.round}, turn {before.turn}"
    round_over = len(after.round_scores) > len(before.round_scores)
    parts = [f"{headline}\n{_plays(before, after, names)}"]
    if round_over:
        parts += [
            _last_cards(before, after, names),
            _scores(before, after, names),
            objectives_text(after.round_objectives[-1].items(), names),
        ]
    return "\n\n".join(filter(None, parts))


def _plays(before: Game, after: Game, names: Sequence[str]) -> str:
    """The lowest card takes the first prize, and so on."""
    deck, cards = before.config.deck, after.plays[-1]
    prizes = dict(zip(sorted(cards), before.row, strict=True))
    return aligned(
        [
            [names[player], f"plays {deck[card]}", f"takes {deck[prizes[card]]}"]
            for player, card in enumerate(cards)
        ]
    )


def _last_cards(before: Game, after: Game, names: Sequence[str]) -> str:
    lines = []
    for player, card in enumerate(after.plays[-1]):
        (last,) = set(before.hand(player)) - {card}
        lines.append(f"{names[player]} lays down the last card, {before.config.deck[last]}")
    return "\n".join(lines)


def _scores(before: Game, after: Game, names: Sequence[str]) -> str:
    """The tableaux that were scored, and the points in their parts."""
    values = (f"[{value}]" for value in before.score_cards)
    heads = ["colours", "bonus", "objectives", "round", "total"]
    lines = [[f"end of round {before.round}", *values, *heads]]
    for player, score in enumerate(after.round_scores[-1]):
        columns = columns_text(before.config.deck, after.round_tableaux[-1][player])
        points = (*score, score.total, after.scores[player])
        lines.append([names[player], *columns, *map(str, points)])
    return aligned(lines)
