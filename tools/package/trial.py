"""Use the installed package: python -I trial.py RECORD.

Loads the commands, the bots and the trained policies, plays a game, whose record it writes, and
lets two bots play. Only the wheel and what it requires need to be installed.
"""

import json
import sys
from importlib.metadata import entry_points
from pathlib import Path

from mindup_arena import play_match
from mindup_env import Game, GameConfig, list_agents, make_agent


def play_one_game(record: Path) -> None:
    game = Game(GameConfig(), seed=7)
    while not game.over:
        game.play([game.hand(player)[0] for player in range(game.config.num_players)])
    record.write_text(json.dumps(game.record()), encoding="utf-8")
    print("scores of a game:", *game.scores)


def load_champions() -> None:
    for num_players in range(3, 7):
        make_agent("champion", GameConfig(num_players))
    print("bots:", *list_agents())


def load_entry_points() -> None:
    """Commands import what an extra installs only when they run."""
    for group in ("mindup.commands", "mindup_env.agents", "mindup.benchmarks"):
        for entry in entry_points(group=group):
            entry.load()


def play_bots() -> None:
    results = play_match(GameConfig(), ["random", "lowest", "lowest", "lowest"], deals=10)
    print(f"random wins {results.win_shares[..., 0].mean():.0%} against lowest")


if __name__ == "__main__":
    load_entry_points()
    load_champions()
    play_one_game(Path(sys.argv[1]))
    play_bots()
