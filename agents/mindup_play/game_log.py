"""The turns of a game as text."""

from collections.abc import Sequence

from mindup_env import Game
from mindup_env.game.table import aligned, columns_text, objectives_text


def describe_turn(before: Game, after: Game) -> str:
    """The plays of a turn, and the table after it with all hands."""
    return f"{describe_plays(before, after)}\n\n{after}"


def describe_plays(before: Game, after: Game) -> str:
    """Cards and prizes of a turn, and the scores if it ended a round; all of it is public."""
    names = [f"player {player}" for player in range(before.config.num_players)]
    turn, num_turns = len(after.plays), after.config.num_turns
    headline = f"turn {turn} of {num_turns}: round {before.round}, turn {before.turn}"
    ended_round = len(after.round_scores) > len(before.round_scores)
    parts = [f"{headline}\n{_plays(before, after, names)}"]
    if ended_round:
        parts += [
            _last_cards(before, after, names),
            _scores(before, after, names),
            objectives_text(after.round_objectives[-1].items(), names),
        ]
    return "\n\n".join(filter(None, parts))


def _plays(before: Game, after: Game, names: Sequence[str]) -> str:
    deck, cards = before.config.deck, after.plays[-1]
    prizes = dict(zip(sorted(cards), before.row, strict=True))  # the lowest card takes the lowest
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
    """The scored tableaux, and the points by their parts."""
    values = (f"[{value}]" for value in before.score_cards)
    heads = ["colours", "bonus", "objectives", "round", "total"]
    lines = [[f"end of round {before.round}", *values, *heads]]
    for player, score in enumerate(after.round_scores[-1]):
        columns = columns_text(before.config.deck, after.round_tableaux[-1][player])
        points = (*score, score.total, after.scores[player])
        lines.append([names[player], *columns, *map(str, points)])
    return aligned(lines)
