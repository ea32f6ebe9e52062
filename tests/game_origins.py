"""Every way to come by a game, and every way to bring it elsewhere."""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from mindup_env import BatchEnv, Game, mindup_v0
from mindup_env.belief import sample
from mindup_env.config import GameConfig


def through_json(plain: dict[str, Any]) -> dict[str, Any]:
    back: dict[str, Any] = json.loads(json.dumps(plain))
    return back


def record_bytes(game: Game) -> bytes:
    return json.dumps(game.record()).encode()


def play_randomly(game: Game, turns: int, random: np.random.Generator) -> Game:
    """Plays up to so many turns of the game itself."""
    for _ in range(turns):
        if game.over:
            break
        game.play([int(random.choice(game.hand(p))) for p in range(game.config.num_players)])
    return game


def played(config: GameConfig, random: np.random.Generator) -> Game:
    """A game at any point, over or not."""
    game = Game(config, seed=int(random.integers(2**63)))
    return play_randomly(game, int(random.integers(config.num_turns + 1)), random)


def sampled_from(game: Game, viewer: int, random: np.random.Generator) -> Game:
    """A game that ``viewer`` cannot distinguish from this one."""
    env = BatchEnv(game.config, autoreset=False)
    env.reset(seed=0)
    seen = env.set_game(0, game)["observation"][0, viewer]
    env.set_state([0], sample(seen, game.config, 1, random))
    return env.game(0)


def sampled(config: GameConfig, random: np.random.Generator) -> Game:
    viewer = int(random.integers(config.num_players))
    return sampled_from(played(config, random), viewer, random)


ORIGINS: dict[str, Callable[[GameConfig, np.random.Generator], Game]] = {
    "played": played,
    "sampled": sampled,
}


def through_batch(game: Game) -> Game:
    """The middle game of a batch whose other games are at other turns."""
    env = BatchEnv(game.config, 3, autoreset=False)
    env.reset(seed=3)
    env.set_game(1, game)
    return env.game(1)


def through_states(game: Game) -> Game:
    """Read from one environment, kept in a file, and put into another one."""
    env, other = BatchEnv(game.config, 2), BatchEnv(game.config, 3)
    env.reset(seed=3)
    env.set_game(1, game)
    other.reset(seed=0)
    other.set_state([2, 0], pickle.loads(pickle.dumps(env.get_state([0, 1]))))
    return other.game(0)


def through_copied_env(game: Game) -> Game:
    env = BatchEnv(game.config)
    env.reset(seed=0)
    env.set_game(0, game)
    return copy.deepcopy(env).game(0)


def through_reset(game: Game) -> Game:
    """Continued by the PettingZoo environment, which takes no finished game."""
    if game.over:
        return game
    config = game.config
    env = mindup_v0.parallel_env(
        num_players=config.num_players,
        num_objectives=config.num_objectives,
        num_rounds=config.num_rounds,
        hand_size=config.hand_size,
        num_cards=config.num_cards,
    )
    env.reset(options={"record": through_json(game.record())})
    found: Game = env.unwrapped.game
    return found


PATHS: dict[str, Callable[[Game], Game]] = {
    "copy": Game.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "batch": through_batch,
    "states": through_states,
    "copied env": through_copied_env,
}
RECORD_PATHS: dict[str, Callable[[Game], Game]] = {
    "record": lambda game: Game.replay(through_json(game.record())),
    "to_dict": lambda game: Game.from_dict(through_json(game.to_dict())),
    "reset": through_reset,
}
"""Those of games whose past is known."""
