"""Use the installed package, of which only the wheel and what it requires are installed.

``python -I package_trial.py RECORD`` loads commands, bots and trained policies, plays a game, whose
record it writes, and lets two bots play.
"""

import json
import sys
from importlib import import_module
from pathlib import Path

from mindup_arena import play_match
from mindup_cli import COMMANDS
from mindup_env import Game, GameConfig, list_agents, make_agent

# All but the learners and the page import what an extra installs only when they run.
for command in COMMANDS.values():
    if not command.module.startswith(("mindup_play.", "mindup_training.")):
        import_module(command.module)
for num_players in range(3, 7):
    make_agent("champion", GameConfig(num_players))
print("bots:", *list_agents())

game = Game(GameConfig(), seed=7)
while not game.over:
    game.play([game.hand(player)[0] for player in range(game.config.num_players)])
Path(sys.argv[1]).write_text(json.dumps(game.record()), encoding="utf-8")
print("scores of a game:", *game.scores)

results = play_match(["random", "lowest", "lowest", "lowest"], deals=10)
print(f"random wins {results.win_shares[..., 0].mean():.0%} against lowest")
