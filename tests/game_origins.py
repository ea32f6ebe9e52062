"""Games at any point, played or sampled, and every way to bring one elsewhere."""

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from mindup_env import BatchEnv, Game, mindup_v0
from mindup_env.belief import sample
from mindup_env.config import OPTION_FIELDS, GameConfig


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


def sampled(config: GameConfig, random: np.random.Generator) -> Game:
    """A game that one seat of a game at any point cannot distinguish from it."""
    env = BatchEnv(config, autoreset=False)
    env.reset(seed=0)
    seat = random.integers(config.num_players)
    seen = env.set_game(0, played(config, random))["observation"][0, seat]
    return Game.from_batch(sample(seen, config, 1, random))


ORIGINS: dict[str, Callable[[GameConfig, np.random.Generator], Game]] = {
    "played": played,
    "sampled": sampled,
}


def through_states(game: Game) -> Game:
    """Read from one environment, kept in a file, and put into another one."""
    env, other = BatchEnv(game.config, 2), BatchEnv(game.config, 3)
    env.reset(seed=3)
    env.set_game(1, game)
    other.reset(seed=0)
    other.set_state([2, 0], pickle.loads(pickle.dumps(env.get_state([0, 1]))))
    return copy.deepcopy(other).game(0)


def through_reset(game: Game) -> Game:
    """Continued by the PettingZoo environment, which takes no finished game."""
    if game.over:
        return game
    options = {field: getattr(game.config, field) for field in OPTION_FIELDS.values()}
    env = mindup_v0.parallel_env(**options)
    env.reset(options={"record": through_json(game.record())})
    found: Game = env.unwrapped.game
    return found


PATHS: dict[str, Callable[[Game], Game]] = {
    "copy": Game.copy,
    "shallow": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "states": through_states,
}
RECORD_PATHS: dict[str, Callable[[Game], Game]] = {
    "record": lambda game: Game.replay(through_json(game.record())),
    "reset": through_reset,
}
"""Those of games whose past is known."""
