"""Whole games as text, one for each number of players and variant, to read and to compare."""

import random
from pathlib import Path

from mindup_env import Game, GameConfig

FOLDER = Path(__file__).parents[2] / "tests" / "golden"
SEED = 7


def configs() -> dict[str, GameConfig]:
    official = {
        f"{players}_players_{objectives}_objectives": GameConfig(players, objectives)
        for players, objectives in [(3, 0), (3, 1), (4, 0), (4, 2), (5, 0), (5, 3), (6, 0), (6, 5)]
    }
    return {
        **official,
        "2_players_for_study": GameConfig(2, num_rounds=2, hand_size=4),
        "5_rounds_1_objective": GameConfig(3, 1, num_rounds=5, hand_size=3),
    }


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def playthrough(config: GameConfig) -> str:
    """The table before every turn, the cards played and the scores of each round."""
    choices = random.Random(SEED)
    game = Game(config, SEED)
    parts = [str(game)]
    while not game.over:
        finished = len(game.round_scores)
        cards = [choices.choice(game.hand(player)) for player in range(config.num_players)]
        game.play(cards)
        parts.append("played: " + ", ".join(f"player {p} {c}" for p, c in enumerate(cards)))
        parts.extend(_round_end(game, scores) for scores in game.round_scores[finished:])
        parts.append(str(game))
    return f"\n\n{'-' * 80}\n\n".join(parts) + "\n"


def _round_end(game: Game, scores: tuple[tuple[int, ...], ...]) -> str:
    lines = [f"end of round {len(game.round_scores)}: colours, bonus, objectives, and the tableau"]
    for player, parts in enumerate(scores):
        tableau = game.round_tableaux[-1][player]
        columns = " | ".join(" ".join(map(str, column)) for column in tableau)
        points = " ".join(f"{part:>3}" for part in parts)
        lines.append(f"player {player}: {points}   {columns}")
    return "\n".join(lines)
