"""The same games on every device: what they show, as arrays to be compared byte for byte."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.cuda import ENCODERS, CudaFeatures
from mindup_agents.features import SeatFeatures
from mindup_env import BatchEnv, GameConfig

Shown = dict[str, npt.NDArray[Any]]

FEW = 24
"""As many cards, so that the simulator is quick enough."""


@dataclass(frozen=True)
class Case:
    """Games to play: their rules, and the options of the environment."""

    config: GameConfig
    reward: str = "win"
    autoreset: bool = True
    num_envs: int = 3
    pad_to_players: int | None = None

    def make(self, device: str) -> BatchEnv:
        return BatchEnv(
            self.config,
            self.num_envs,
            reward=self.reward,
            autoreset=self.autoreset,
            pad_to_players=self.pad_to_players,
            device=device,
        )


CASES = {
    "published": Case(GameConfig(), "0.1*margin+win", num_envs=1),
    "two": Case(GameConfig(2, 1, 2, 3, FEW, (2, 4, 1, 5, 3)), "score"),
    "three": Case(GameConfig(3, 2, num_rounds=2, hand_size=3), "margin", autoreset=False),
    "four": Case(GameConfig(4, 3, num_rounds=1, hand_size=3, num_cards=FEW), "score+win"),
    "padded": Case(
        GameConfig(3, 1, num_rounds=1, hand_size=3, num_cards=FEW), num_envs=1, pad_to_players=6
    ),
    "five": Case(GameConfig(5, 4, num_rounds=2, hand_size=2, num_cards=FEW), num_envs=2),
    "six": Case(GameConfig(6, 5, num_rounds=2, hand_size=2, num_cards=FEW), num_envs=2),
}


def play(case: Case, device: str, episodes: int = 2) -> Shown:
    """All that some episodes show, in the order in which it is shown.

    Some actions are illegal, the second half begins with games that are at different turns, and
    the last ones are dealt by a reset.
    """
    env, chance = case.make(device), np.random.default_rng(7)
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
    keep(shown, "state", env.state())
    keep(shown, "states", env.state(per_seat=True))
    keep(shown, "turns", env.turns)
    keep(shown, "points", env.round_points(1))
    state = env.get_state(range(case.num_envs))
    keep(shown, "games", state.games._asdict())
    keep(shown, "again", env.reset()[0])
    return shown


def play_features(case: Case, device: str) -> Shown:
    """The features of all seats while they play their lowest cards."""
    env = case.make(device)
    shown: Shown = {}
    env.reset(seed=3)
    for name in ENCODERS:
        features = SeatFeatures(env, name) if device == "cpu" else CudaFeatures(env, name)
        for turn in range(case.config.num_turns):
            keep(shown, f"{name}.{turn}", features.read())
            lowest = on_host(env.seen["action_mask"]).argmax(axis=2)
            env.step(on_device(env, lowest))
    return shown


def mix(env: BatchEnv) -> Any:
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
    """A tensor, or an array of any library, as an array of NumPy."""
    if isinstance(value, dict):
        return {name: on_host(each) for name, each in value.items()}
    if hasattr(value, "copy_to_host"):
        return value.copy_to_host()
    return value.cpu().numpy() if hasattr(value, "cpu") else np.asarray(value)


def on_device(env: BatchEnv, actions: npt.NDArray[np.int64]) -> Any:
    """Actions where the environment wants them: beside those that it chooses itself."""
    if type(env) is BatchEnv:
        return actions
    chosen: Any = env.random_actions()
    if hasattr(chosen, "copy_to_device"):
        chosen.copy_to_device(actions)
        return chosen
    return chosen.copy_(chosen.new_tensor(actions)) if hasattr(chosen, "copy_") else actions


def assert_same(found: Shown, expected: Shown) -> None:
    assert found.keys() == expected.keys()
    for name, array in expected.items():
        assert found[name].dtype == array.dtype, name
        np.testing.assert_array_equal(found[name], array, name)
