"""Odd arguments of all that is public: each call runs, or is refused in one clear line."""

import warnings
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from mindup_env import BatchEnv, Deal, Game, GameConfig, Layout, SeatedBots, make_agent, mindup_v0
from mindup_env.belief import sample
from mindup_env.config import VARIANTS
from mindup_env.engine.batch import Batch
from mindup_env.envs.single_agent import MindUpEnv
from mindup_env.envs.vector_env import MindUpVectorEnv
from mindup_env.exact import ExactGame
from mindup_env.observation import observation_text
from mindup_env.render.picture import draw
from tests.envs.playing import SHORT, SHORT_TABLE, started
from tests.hostile.strategies import ODD_VALUES, attack, damaged_plain, result_or_refusal

pytestmark = pytest.mark.slow

CALLS = 10
"""Of each example, which takes time to make environments."""
Calls = dict[str, tuple[Callable[..., Any], dict[str, Any]]]
"""Functions, and arguments that they accept."""

EXACT = ExactGame(VARIANTS["2p-1t"])
ODD: list[Any] = [
    *ODD_VALUES, 3, 4, 60, [0], [[0, 1], [2]], range(2), {0}, (None,), object, np, 2 + 0j,
    *(np.array(value) for value in (3, -1, True, np.nan, "a", [], [[0, 1, 2]], [2**64 - 1, 0])),
    *(np.zeros(shape, kind) for shape in (1, 2, (2, 3), (0, 3)) for kind in ("?", "f4", "O", "U2")),
    np.array([0, 1], "M8[D]"), np.zeros(2, [("a", int)]), np.full((2, 3), 2**63, np.uint64),
    np.int64(3), np.float32("nan"), np.datetime64("2020-01-01"), GameConfig(5), Game(SHORT, 1),
    started(2, 3).get_state([1]), started(1, 2, GameConfig(5)).get_state([0]), SimpleNamespace(),
]  # fmt: skip
MANY = ("num_envs", "n", "samples")


def odd(argument: str, valid: Any) -> st.SearchStrategy[Any]:
    """Any odd value, or the valid one with some damage."""
    found: st.SearchStrategy[Any] = st.sampled_from(ODD)
    if isinstance(valid, dict | list | int):
        found |= damaged_plain(valid)
    elif isinstance(valid, str):
        found |= st.sampled_from([":", ":x=1", ":0", ",", "+", " ", "\0"]).map(valid.__add__)
    elif isinstance(valid, np.ndarray | Batch):
        damage: Any = damaged_state if isinstance(valid, Batch) else damaged_array
        found |= st.integers(0, 2**32).map(partial(damage, valid))
    if argument in MANY:  # what takes all memory or time
        return found.filter(lambda value: not isinstance(value, int) or value < 100)
    return found


def damaged_array(valid: Any, seed: int) -> Any:
    """Another type, shape or order in memory, two entries exchanged, or one with another value."""
    random = np.random.default_rng(seed)
    damaged = valid.copy("F")
    kind = random.integers(5)
    if kind == 0:
        return damaged.astype(random.choice(["f4", "u8", "i2", "?", "O", "U9", "M8[D]", "c8"]))
    if kind == 1:
        return [damaged[0], damaged[None], damaged[..., :-1]][random.integers(3)]
    places = random.integers(damaged.size, size=2)
    if kind == 2:
        damaged.flat[places] = damaged.flat[places[::-1]]
    else:
        values = random.integers(-2, 64), random.integers(-(2**63), 2**63)
        damaged.flat[places[0]] = np.int64(values[kind - 3]).astype(damaged.dtype)
    return damaged


def damaged_state(state: Batch, seed: int) -> Batch:
    name = np.random.default_rng(seed).choice(state.games._fields)
    damaged = damaged_array(getattr(state.games, name), seed)
    return Batch(state.config, state.games._replace(**{name: damaged}))


def calls(env: BatchEnv, seed: int) -> Calls:
    """All that a user can call, on new objects."""
    game, random = env.game(1), np.random.default_rng(seed)
    deal, record, config = game.deal.to_dict(), game.record(), SHORT.to_dict()
    seen = {name: array[:, 0].copy() for name, array in env.seen.items()}
    actions, mask = env.random_actions().copy(), np.array([True, False])
    learner = {"reward": "win", **SHORT_TABLE, "opponents": ["random", "random"], "seat": 1}
    parallel, turn_based = mindup_v0.parallel_env(**SHORT_TABLE), mindup_v0.env(**SHORT_TABLE)
    single = MindUpEnv(**SHORT_TABLE)
    vector = MindUpVectorEnv(2, autoreset=bool(seed % 2), **SHORT_TABLE)
    for each in (parallel, turn_based, single, vector):
        each.reset(seed=seed)
    bots = SeatedBots(env, {1: "random", 2: "highest"})
    act = {**seen, "episode_start": np.ones(2, np.bool_), "random_bits": np.ones(2, np.uint64)}
    text = {"observation": seen["observation"][0], "config": SHORT}
    states = {"indices": [1, 0], "state": env.get_state([0, 1])}
    named = {name: (getattr(game, name), {"player": 1}) for name in ("hand", "known", "tableau")}

    def answer(choices: Any) -> None:
        SeatedBots(env, {1: SimpleNamespace(act=lambda *_: choices)}).act(actions.copy())

    def pay(rewards: Any) -> None:
        paid = BatchEnv(SHORT, 2, reward=lambda *_: rewards)
        paid.reset(seed=seed)
        paid.step(actions)

    return {
        **named,
        "GameConfig": (GameConfig, config),
        "GameConfig.from_dict": (GameConfig.from_dict, {"plain": config}),
        "Deal": (lambda **given: Game.from_deal(SHORT, Deal(**given)), deal),
        "Deal.from_dict": (Deal.from_dict, {"plain": deal}),
        "Game": (Game, {"config": SHORT, "seed": 1, "slot": 2, "episode": 3}),
        "Game.from_deal": (Game.from_deal, {"config": SHORT, "deal": game.deal}),
        "Game.from_batch": (Game.from_batch, {"batch": states["state"], "index": 1}),
        "Game.replay": (Game.replay, {"record": record, "turns": 0}),
        "play": (game.copy().play, {"cards": [each[-1] for each in map(game.hand, range(3))]}),
        "draw": (draw, {"game": game, "viewer": 1}),
        "BatchEnv": (
            BatchEnv,
            {"config": SHORT, "num_envs": 2, "autoreset": True, "reward": "win"},
        ),
        "reset": (env.reset, {"seed": [1, 2], "mask": mask}),
        "step": (env.step, {"actions": actions}),
        "game": (env.game, {"index": 1}),
        "set_game": (env.set_game, {"index": 1, "game": game}),
        "get_state": (env.get_state, {"indices": [1, 0]}),
        "set_state": (env.set_state, states),
        "set_state of one": (env.set_state, {"indices": [1], "state": env.get_state([0])}),
        "state": (env.state, {"per_seat": True}),
        "parallel_env": (
            mindup_v0.parallel_env,
            {"reward": "win", **SHORT_TABLE, "render_mode": "ansi"},
        ),
        "parallel reset": (parallel.reset, {"seed": 1, "options": {"deal": deal}}),
        "parallel step": (parallel.step, {"actions": dict.fromkeys(parallel.agents, 1)}),
        "observe": (parallel.observe, {"agent": "player_1"}),
        "env": (mindup_v0.env, {"reward": "win", **SHORT_TABLE, "render_mode": "ansi"}),
        "env reset": (turn_based.reset, {"seed": 1, "options": {"record": record}}),
        "env step": (turn_based.step, {"action": 1}),
        "MindUpEnv": (MindUpEnv, {**learner, "render_mode": "ansi"}),
        "single reset": (single.reset, {"seed": 1, "options": {}}),
        "single step": (single.step, {"action": 1}),
        "MindUpVectorEnv": (MindUpVectorEnv, {"num_envs": 2, "autoreset": True, **learner}),
        "vector reset": (vector.reset, {"seed": 1, "options": {"reset_mask": mask}}),
        "vector step": (vector.step, {"actions": actions[:, 0]}),
        "SeatedBots": (SeatedBots, {"env": env, "bots": {1: "lowest"}, "seating": np.arange(3)}),
        "assign": (bots.assign, {"seating": np.array([[0, 1, 2]] * 2)}),
        "act": (bots.act, {"actions": actions}),
        "an answer": (answer, {"choices": actions[:, 1]}),
        "a reward": (pay, {"rewards": np.zeros((2, 3), np.float32)}),
        "sample": (sample, {**text, "n": 2, "rng": random}),
        "views": (env.layout.views, {"vectors": seen["observation"]}),
        "views of states": (env.state_layout.views, {"vectors": env.state()}),
        "Layout": (Layout, {"config": SHORT}),
        "observation_text": (observation_text, text),
        "make_agent": (make_agent, {"spec": "search:worlds=2", "config": SHORT}),
        "random": (make_agent("random", SHORT).act, act),
        "greedy": (make_agent("greedy", SHORT).act, act),
        "ExactGame": (ExactGame, {"config": EXACT.config}),
        "strategy": (EXACT.strategy, {"bot": "random", "samples": 2}),
        "exploitability": (EXACT.exploitability, {"player": EXACT.strategy("lowest")}),
        "win_share": (EXACT.win_share, {"one": "random", "field": EXACT.strategy("lowest")}),
    }


NAMES = [*calls(started(2, 0), 0)]


@attack(1_500, seed=st.integers(0, 99), data=st.data())
def test_odd_calls(seed: int, data: st.DataObject) -> None:
    """The games can be played after them."""
    env = started(2, seed % 6)
    tried = calls(env, seed)
    for name in data.draw(st.lists(st.sampled_from(NAMES), min_size=CALLS, max_size=CALLS)):
        call, given = tried[name]
        for argument in data.draw(st.sets(st.sampled_from([*given]), min_size=1, max_size=2)):
            given = {**given, argument: data.draw(odd(argument, given[argument]), argument)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result_or_refusal(partial(call, **given))
    for _ in range(SHORT.num_turns):
        env.step(env.random_actions())
        assert str(env.game(0))
