"""The same games on every device: what they show, as arrays to be compared byte for byte."""

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.cuda import CudaBatchEnv

Shown = dict[str, npt.NDArray[Any]]
Env = TypeVar("Env", BatchEnv, CudaBatchEnv)

FEW = 24
"""As many cards, so that the simulator is quick enough."""


@dataclass(frozen=True)
class Case:
    """Games to play: their rules, and the options of the environment."""

    config: GameConfig
    reward: str = "win"
    autoreset: bool = True
    num_envs: int = 3

    def make(self, env_class: type[Env]) -> Env:
        return env_class(self.config, self.num_envs, reward=self.reward, autoreset=self.autoreset)


CASES = {
    "published": Case(GameConfig(), "0.1*margin+win", num_envs=1),
    "two": Case(GameConfig(2, 1, 2, 3, FEW, (2, 4, 1, 5, 3)), "score"),
    "tiny": Case(GameConfig(2, 1, 1, 2, FEW), num_envs=1),
    "three": Case(GameConfig(3, 2, num_rounds=2, hand_size=3), "margin", autoreset=False),
    "four": Case(GameConfig(4, 3, num_rounds=1, hand_size=3, num_cards=FEW), "score+win"),
    "five": Case(GameConfig(5, 4, num_rounds=2, hand_size=2, num_cards=FEW), num_envs=2),
    "six": Case(GameConfig(6, 5, num_rounds=2, hand_size=2, num_cards=FEW), num_envs=2),
}


def play(case: Case, env_class: type[Env], episodes: int = 2) -> Shown:
    """All that some episodes show, in the order in which it is shown.

    Some actions are illegal, the second half begins with games that are at different turns, and
    the last ones are dealt by a reset.
    """
    env, chance = case.make(env_class), np.random.default_rng(7)
    shown: Shown = {}
    seen, _ = env.reset(seed=11)
    for turn in range(episodes * case.config.num_turns):
        keep(shown, f"{turn}", seen)
        if turn == case.config.num_turns + 1:
            keep(shown, "mixed", mix(env))
        seen, *results, info = env.step(on_device(env, choose(on_host(env.seen), chance)))
        for name, result in zip(("rewards", "over", "truncated"), results, strict=True):
            keep(shown, f"{turn}.{name}", result)
        keep(shown, f"{turn}.info", info)
        keep(shown, f"{turn}.keys", env.keys)
        keep(shown, f"{turn}.turns", env.turns)
    keep(shown, "state", env.state())
    keep(shown, "states", env.state(per_seat=True))
    state = env.get_state(range(case.num_envs))
    keep(shown, "games", state.games._asdict())
    keep(shown, "set", env.set_game(0, Game(case.config, seed=3)))
    keep(shown, "again", env.reset()[0])
    return shown


def mix(env: BatchEnv | CudaBatchEnv) -> Any:
    """Puts the first game, as it was some turns ago, into the last place."""
    earlier = BatchEnv(env.config, 2)
    earlier.reset(seed=5)
    earlier.step(earlier.seen["action_mask"].argmax(axis=2))
    return env.set_state([env.num_envs - 1], earlier.get_state([1]))


def choose(seen: Any, chance: np.random.Generator) -> npt.NDArray[np.int64]:
    """An action of every hand, a tenth of them any number at all."""
    mask = seen["action_mask"]
    actions = (chance.uniform(1, 2, mask.shape) * mask).argmax(axis=-1)
    wild = chance.integers(-3, 70, actions.shape)
    chosen: npt.NDArray[np.int64] = np.where(chance.random(actions.shape) < 0.1, wild, actions)
    return chosen


def flat(value: Any) -> Shown:
    """All arrays in nested dicts and tuples, on the host."""
    shown: Shown = {}
    keep(shown, "", value)
    return shown


def keep(shown: Shown, name: str, value: Any) -> None:
    if isinstance(value, tuple):
        value = dict(enumerate(value))
    if isinstance(value, dict):
        for part, each in value.items():
            keep(shown, f"{name}.{part}", each)
    else:
        shown[name] = on_host(value).copy()


def on_host(value: Any) -> Any:
    """A tensor, or an array, as an array of NumPy."""
    if isinstance(value, dict):
        return {name: on_host(each) for name, each in value.items()}
    return value.cpu().numpy() if hasattr(value, "cpu") else np.asarray(value)


def on_device(env: BatchEnv | CudaBatchEnv, actions: npt.NDArray[np.int64]) -> Any:
    """Actions where the environment wants them."""
    if isinstance(env, BatchEnv):
        return actions
    return env.random_actions().new_tensor(actions)


def assert_same(found: Shown, expected: Shown) -> None:
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        assert found[name].dtype == array.dtype, name
        np.testing.assert_array_equal(found[name], array, name)
