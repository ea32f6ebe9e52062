"""TorchRL's environment plays the games of a BatchEnv, and resets any part of them."""

from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.observation import state_layout_of
from tests.envs.test_other_libraries import library

pytestmark = pytest.mark.slow

GAMES = 3
TABLE: dict[str, Any] = {"num_players": 3, "num_objectives": 2, "num_rounds": 2, "hand_size": 3}
CONFIG = GameConfig(**TABLE)
TURNS = CONFIG.num_turns


def make(**arguments: Any) -> Any:
    library("torchrl.envs")
    from mindup_env.torchrl import TorchRLMindUp  # noqa: PLC0415  # only here is it installed

    return TorchRLMindUp(GAMES, illegal_action="raise", **TABLE, **arguments)


def lowest(tensordict: Any) -> Any:
    """Plays the lowest cards. TorchRL takes a policy with this argument as it is."""
    tensordict["player", "action"] = tensordict["player", "action_mask"].float().argmax(dim=-1)
    return tensordict


@pytest.mark.parametrize(
    "arguments", [{}, {"return_state": True, "scaled": True, "pad_to_players": 6}], ids=str
)
def test_the_specs_are_kept(arguments: dict[str, Any]) -> None:
    env = make(**arguments)
    library("torchrl.envs.utils").check_env_specs(env, break_when_any_done="both", seed=1)
    assert env.batch_size == (GAMES,)
    spec = env.observation_spec
    assert ("state" in spec.keys()) == ("return_state" in arguments)  # noqa: SIM118
    space = spec["player", "observation"].space
    assert (space.high.max() <= 1) == ("scaled" in arguments)


@pytest.mark.parametrize("scaled", [False, True])
def test_it_plays_the_games_of_a_batch_env(*, scaled: bool) -> None:
    """Scaled vectors are the same, divided by their largest values."""
    env = make(seed=7, reward="margin+win", return_state=True, scaled=scaled)
    batch = BatchEnv(CONFIG, GAMES, reward="margin+win", autoreset=False)
    seen, _ = batch.reset(seed=7)
    played = env.rollout(100, lowest)
    assert played.batch_size == (GAMES, TURNS)
    assert played["state"].numpy().dtype == (np.float32 if scaled else np.int8)
    layouts = batch.layout, state_layout_of(CONFIG)
    largest = [np.maximum(np.abs(each.low.astype(int)), each.high).clip(1) for each in layouts]
    scales = [1 / each if scaled else 1 for each in largest]
    for turn in range(TURNS):
        before = played[:, turn]
        expected = seen["observation"] * scales[0], batch.state() * scales[1]
        np.testing.assert_allclose(before["player", "observation"], expected[0], rtol=1e-6)
        np.testing.assert_allclose(before["state"], expected[1], rtol=1e-6)
        assert np.array_equal(before["player", "action_mask"], seen["action_mask"])
        seen, rewards, over, _, _ = batch.step(before["player", "action"].numpy())
        after = before["next"]
        assert np.array_equal(after["player", "reward"][..., 0], rewards)
        assert np.array_equal(after["done"][:, 0], over)
        assert np.array_equal(after["terminated"], after["done"])
        assert np.array_equal(after["player", "done"], np.repeat(over, 3).reshape(GAMES, 3, 1))
        assert not after["truncated"].any() and not after["player", "truncated"].any()
    assert over.all()


def test_a_rollout_goes_on_with_the_next_deals() -> None:
    played = make(seed=7).rollout(2 * TURNS + 1, lowest, break_when_any_done=False)
    assert played["next", "done"][0, :, 0].nonzero().flatten().tolist() == [
        TURNS - 1,
        2 * TURNS - 1,
    ]
    batch = BatchEnv(CONFIG, GAMES)
    batch.reset(seed=7)
    for turn in range(2 * TURNS + 1):
        assert np.array_equal(played["player", "observation"][:, turn], batch.seen["observation"])
        batch.step(batch.seen["action_mask"].argmax(axis=2))


def test_any_part_of_the_games_can_be_reset() -> None:
    torch, tensordict = library("torch"), library("tensordict")
    env = make(seed=7)
    step = env.reset()
    for _ in range(2):
        step = env.step(lowest(step))["next"]
    before = [env.batch_env.game(index) for index in range(GAMES)]
    chosen = torch.tensor([[False], [True], [False]])
    env.reset(tensordict.TensorDict({"_reset": chosen}, (GAMES,)))
    games = [env.batch_env.game(index) for index in range(GAMES)]
    assert games == [before[0], Game(CONFIG, 7, slot=1, episode=1), before[2]]
    step = env.reset()
    games = [env.batch_env.game(index) for index in range(GAMES)]
    episodes = [1, 2, 1]
    assert games == [
        Game(CONFIG, 7, slot=slot, episode=episode) for slot, episode in enumerate(episodes)
    ]
    assert not step["done"].any()


def test_games_that_ended_apart_are_reset_apart() -> None:
    env = make(seed=7)
    step = env.reset()
    saved = env.batch_env.get_state([2])
    for _ in range(TURNS - 1):
        step = env.step(lowest(step))["next"]
    seen = env.batch_env.set_state([2], saved)  # this game begins again
    step["player", "action_mask"][:] = library("torch").tensor(seen["action_mask"]).bool()
    step, after = env.step_and_maybe_reset(lowest(step))
    assert step["next", "done"].flatten().tolist() == [True, True, False]
    assert not after["done"].any()
    assert [env.batch_env.game(index).turn for index in range(GAMES)] == [1, 1, 2]


def test_a_seed_deals_the_same_games_again_and_random_actions_are_legal() -> None:
    env = make()
    env.set_seed(5)
    first = env.rollout(100, lowest)
    env.set_seed(5)
    assert (first == env.rollout(100, lowest)).all()
    assert not (first == env.rollout(100, lowest)).all()
    library("torch").manual_seed(0)
    played = env.rollout(2 * TURNS, break_when_any_done=False)  # an illegal action raises
    assert played["player", "action"].unique().numel() > TURNS


def test_an_unknown_argument_is_refused_with_those_that_are_accepted() -> None:
    with pytest.raises(TypeError, match=r"mean num_players.* accepted: num_envs, reward, .*, deck"):
        make(players=3)
