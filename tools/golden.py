"""The golden files in tests/golden: whole games, choices of the bots, and what trainings compute.

``make golden`` writes them. Read the difference before you commit it.
"""

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from mindup_agents.search import Search
from mindup_env import BatchEnv, Game, GameConfig, make_agent
from mindup_env.agent import Agent
from mindup_env.files import write_text
from tools import ROOT, golden_training

FOLDER = ROOT / "tests" / "golden"
CONFIGS = {
    **{
        f"{players}_players_{objectives}_objectives": GameConfig(players, objectives)
        for players, objectives in [(3, 0), (3, 1), (4, 0), (4, 2), (5, 0), (5, 3), (6, 0), (6, 5)]
    },
    "2_players_for_study": GameConfig(2, num_rounds=2, hand_size=4),
    "5_rounds_1_objective": GameConfig(3, 1, num_rounds=5, hand_size=3),
}


# With few worlds a small difference in one sampled game changes choices.
BASELINES = {
    "champion": "champion:worlds=12",
    "greedy": "greedy",
    "planner": "planner",
    "predictor": "predictor",
    "search": "search:worlds=6",
}
"""Bots whose choices must not change."""


def playthrough(config: GameConfig) -> str:
    """The table before every turn, the cards played and the scores of each round."""
    choices = random.Random(7)
    game = Game(config, seed=7)
    parts = [str(game)]
    while not game.over:
        finished = len(game.round_scores)
        cards = [choices.choice(game.hand(player)) for player in range(config.num_players)]
        game.play(cards)
        played = [f"player {player} {card}" for player, card in enumerate(cards)]
        parts.append(f"played: {', '.join(played)}")
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


def choices_of(spec: str) -> str:
    """A paragraph for each config that it plays and each game, with a line for each turn."""
    parts = []
    for label, config in CONFIGS.items():
        try:
            bot = make_agent(spec, config)
        except ValueError:
            continue  # it was trained for other games
        turns = _lines_of_turns(bot, config)
        for game, lines in enumerate(zip(*turns, strict=True)):
            parts.append("\n".join([f"{label}, game {game}", *lines]))
    return "\n\n".join(parts) + "\n"


def _lines_of_turns(bot: Agent, config: GameConfig) -> Iterator[list[str]]:
    """The card numbers of each game for each turn, if the bot plays all seats.

    After those of the last game, ``search`` has its evaluation of the last seat's card.
    """
    num_games = 1 if type(bot) is Search else 3
    env = BatchEnv(config, num_games)
    rng = np.random.default_rng(1)
    seen, _ = env.reset(seed=11)
    seats = num_games * config.num_players
    for turn in range(config.num_turns):
        actions = bot.act(
            seen["observation"].reshape(seats, -1),
            seen["action_mask"].reshape(seats, -1),
            np.full(seats, turn == 0),
            rng.integers(0, 2**64, seats, np.uint64),
        ).reshape(num_games, -1)
        lines = [" ".join(f"{card:>2}" for card in cards) for cards in (actions + 1).tolist()]
        if type(bot) is Search:
            _, values = bot.evaluate_cards()
            lines[-1] += f"   {values[-1, actions[-1, -1]]:.12f}"
        yield lines
        seen, *_ = env.step(actions)


FILES: dict[Path, Callable[[], str]] = {
    **{FOLDER / f"{name}.txt": partial(playthrough, each) for name, each in CONFIGS.items()},
    **{
        FOLDER / "choices" / f"{name}.txt": partial(choices_of, each)
        for name, each in BASELINES.items()
    },
    FOLDER / "training" / "settings.txt": golden_training.settings,
}
"""What each file has."""
NUMBERS = FOLDER / "training" / "numbers.json"
"""What other processors may round differently."""

if __name__ == "__main__":
    for path, text in FILES.items():
        write_text(path, text())
        print(f"wrote {path.name}")
    write_text(NUMBERS, json.dumps(golden_training.numbers(), indent=1) + "\n")
