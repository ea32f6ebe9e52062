"""The same games in every form in which they can be played, move by move."""

import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import gymnasium

from mindup_env import BatchEnv, Game, GameConfig, mindup_v0
from tests.envs.bots import ByHand, choose, choose_all, choose_by

Table = dict[str, Any]  # fields of a GameConfig
Form = Callable[[Table, int, int], Iterator[Game]]


def as_games(table: Table, seed: int, episodes: int) -> Iterator[Game]:
    """The game before each of its turns, for so many episodes."""
    for episode in range(episodes):
        game = Game(GameConfig(**table), seed, episode=episode)
        while not game.over:
            yield game.copy()
            hands = [game.hand(player) for player in range(game.config.num_players)]
            game.play([choose([card - 1 for card in hand]) + 1 for hand in hands])


def as_parallel(table: Table, seed: int, episodes: int) -> Iterator[Game]:
    env = mindup_v0.parallel_env(**table)
    for episode in range(episodes):
        seen, _ = env.reset(seed=None if episode else seed)
        while env.agents:
            yield env.unwrapped.game
            actions = {agent: choose_by(seen[agent]["action_mask"]) for agent in env.agents}
            seen, *_ = env.step(actions)


def as_turn_based(table: Table, seed: int, episodes: int) -> Iterator[Game]:
    env = mindup_v0.env(**table)
    for episode in range(episodes):
        env.reset(seed=None if episode else seed)
        for agent in env.agent_iter():
            seen, _, over, _, _ = env.last()
            if not over and agent == env.possible_agents[0]:
                yield env.unwrapped.game
            env.step(None if over else choose_by(seen["action_mask"]))


def as_batch(table: Table, seed: int, episodes: int) -> Iterator[Game]:
    env = BatchEnv(GameConfig(**table), num_envs=3)
    seen, _ = env.reset(seed)
    for _ in range(episodes * env.config.num_turns):
        yield env.game(0)
        seen, *_ = env.step(choose_all(seen["action_mask"]))


def as_single_agent(table: Table, seed: int, episodes: int) -> Iterator[Game]:
    env = gymnasium.make("MindUp-v0", **against_by_hand(table))
    unwrapped: Any = env.unwrapped
    for episode in range(episodes):
        seen, _ = env.reset(seed=None if episode else seed)
        over = False
        while not over:
            yield unwrapped.game
            seen, _, over, _, _ = env.step(choose_by(seen["action_mask"]))


def as_vector(table: Table, seed: int, episodes: int) -> Iterator[Game]:
    env: Any = gymnasium.make_vec("MindUp-v0", num_envs=3, **against_by_hand(table))
    seen, _ = env.reset(seed=seed)
    for _ in range(episodes * GameConfig(**table).num_turns):
        yield env.game(0)
        seen, *_ = env.step(choose_all(seen["action_mask"]))


def against_by_hand(table: Table) -> dict[str, Any]:
    return {**table, "opponents": [ByHand(GameConfig(**table))], "seat": 1}


FORMS: dict[str, Form] = {
    "games": as_games,
    "parallel": as_parallel,
    "turn_based": as_turn_based,
    "batch": as_batch,
    "single_agent": as_single_agent,
    "vector": as_vector,
}


def digest_of_all(seed: int) -> str:
    """Of the games in all forms, and of the chances of bots and of the learners' seats."""
    digest = hashlib.sha256()
    table: Table = {"num_players": 3, "num_objectives": 2}
    for form in FORMS.values():
        for game in form(table, seed, 2):
            digest.update(json.dumps(game.to_dict()).encode())
    env = gymnasium.make_vec("MindUp-v0", num_envs=4, opponents=["random"], **table)
    seen, info = env.reset(seed=seed)
    for _ in range(2 * GameConfig(**table).num_turns):
        digest.update(info["seat"].tobytes() + seen["observation"].tobytes())
        seen, _, _, _, info = env.step(choose_all(seen["action_mask"]))
    return digest.hexdigest()
