"""Observations and states that have the same layout for every number of players, in all APIs."""

import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

from mindup_env import BatchEnv, GameConfig, Layout, ScriptedSeats, StateLayout, mindup_v0
from mindup_env.observation.vector_layout import VectorLayout
from mindup_env.rewards import Transition
from tests.envs.bots import ByHand, Recorder, choose_all
from tests.envs.playing import everything, random_legal
from tests.envs.test_other_libraries import library

TABLE: dict[str, Any] = {"num_objectives": 2, "num_rounds": 2, "hand_size": 3}
SIZES = [(players, padded) for players in range(2, 7) for padded in range(players, 7)]
sizes = pytest.mark.parametrize(("players", "padded"), SIZES)
ALWAYS_FIRST = ("hand", "row", "score_cards", "round", "turn", "objectives", "objectives_used")


def config_of(players: int) -> GameConfig:
    return GameConfig(num_players=players, **TABLE)


def assert_padded(
    padded: VectorLayout, vectors: npt.NDArray[Any], present: VectorLayout, expected: Any
) -> None:
    """Each part is that of the present layout, with zeros for the players that are not there."""
    players, views = present.config.num_players, padded.views(vectors)
    others = padded.num_blocks - players
    assert (
        views.pop("seats").tolist()
        == np.full((*vectors.shape[:-1], padded.num_blocks), [1] * players + [0] * others).tolist()
    )
    for name, part in present.views(expected).items():
        if part.shape == views[name].shape and (others == 0 or name in ALWAYS_FIRST):
            assert np.array_equal(views[name], part), name
            continue
        axis = vectors.ndim - 1
        there, absent = np.split(views[name], [players], axis=axis)
        assert np.array_equal(there, part), name
        assert absent.shape[axis] == others and not absent.any(), name


@sizes
def test_each_part_is_that_of_the_present_layout(players: int, padded: int) -> None:
    config, chance = config_of(players), np.random.default_rng(players)
    present, env = BatchEnv(config, 3), BatchEnv(config, 3, pad_to_players=padded)
    for each in (present, env):
        each.reset(seed=padded)
    for _ in range(config.num_turns + 2):
        own, other = present.seen["observation"], env.seen["observation"]
        assert_padded(env.layout, other, present.layout, own)
        assert np.array_equal(env.layout.unpad(other), own)
        for per_seat in (False, True):
            assert_padded(
                env.state_layout,
                env.state(per_seat=per_seat),
                present.state_layout,
                present.state(per_seat=per_seat),
            )
        actions = random_legal(present.seen, chance)
        (_, *results, info), (_, *others, other_info) = present.step(actions), env.step(actions)
        assert everything(tuple(results)) == everything(tuple(others))
        if "final_observation" in info:
            own, other = (
                each.pop("final_observation")["observation"] for each in (info, other_info)
            )
            assert_padded(env.layout, other, present.layout, own)
        assert everything(info) == everything(other_info)


def test_all_numbers_of_players_have_one_layout() -> None:
    for make in (Layout, StateLayout):
        layouts = [make(config_of(players), 6) for players in range(2, 7)]
        assert len({(each.size, each.table()) for each in layouts}) == 1
        for bound in ("low", "high"):
            assert len({getattr(each, bound).tobytes() for each in layouts}) == 1
    assert Layout(GameConfig(4), 6).size == Layout(GameConfig(6)).size + 6


@sizes
def test_what_a_user_writes_into_padding_is_gone_after_a_step(players: int, padded: int) -> None:
    env, copied = (
        BatchEnv(config_of(players), 3, pad_to_players=padded, copy=copy) for copy in (False, True)
    )
    for each in (env, copied):
        each.reset(seed=1)
    for _ in range(2 * config_of(players).num_turns):
        actions = random_legal(copied.seen, np.random.default_rng(1))
        for written in (env.seen["observation"], env.state(), env.state(per_seat=True)):
            written[...] = 7
        env.step(actions)
        copied.step(actions)
        for name in ("observation", "action_mask"):
            assert np.array_equal(env.seen[name], copied.seen[name])
        for per_seat in (False, True):
            assert np.array_equal(env.state(per_seat=per_seat), copied.state(per_seat=per_seat))


@pytest.mark.parametrize(
    "make",
    [
        lambda table, padded: BatchEnv(GameConfig(**table), pad_to_players=padded),
        lambda table, padded: Layout(GameConfig(**table), padded),
        lambda table, padded: StateLayout(GameConfig(**table), padded),
        lambda table, padded: mindup_v0.parallel_env(**table, pad_to_players=padded),
        lambda table, padded: mindup_v0.env(**table, pad_to_players=padded),
        lambda table, padded: gymnasium.make("MindUp-v0", **table, pad_to_players=padded),
        lambda table, padded: gymnasium.make_vec("MindUp-v0", **table, pad_to_players=padded),
    ],
)
@pytest.mark.parametrize("padded", [3, 7, 4.5, True])
def test_fewer_players_than_play_and_more_than_can_are_refused(
    make: Callable[..., Any], padded: Any
) -> None:
    with pytest.raises(ValueError, match=re.escape("pad_to_players must be")):
        make({"num_players": 4}, padded)


@pytest.mark.parametrize("players", [2, 5])
def test_every_api_observes_what_the_batch_does(players: int) -> None:
    table: dict[str, Any] = {**TABLE, "num_players": players, "pad_to_players": 6}
    bots = [ByHand(config_of(players))]
    batch = BatchEnv(config_of(players), pad_to_players=6)
    parallel, turn_based = mindup_v0.parallel_env(**table), mindup_v0.env(**table)
    learner: dict[str, Any] = {**table, "opponents": bots, "seat": 0}
    single: Any = gymnasium.make("MindUp-v0", **learner)
    vector: Any = gymnasium.make_vec("MindUp-v0", num_envs=1, **learner)
    for env in (batch, parallel, turn_based, single, vector):
        env.reset(seed=4)
    of_single, of_vector = single.reset(seed=4)[0], vector.reset(seed=4)[0]
    for _ in range(batch.config.num_turns):
        for name, array in batch.seen.items():
            for seat, agent in enumerate(parallel.agents):
                for env in (parallel, turn_based):
                    assert env.observe(agent) in env.observation_space(agent)
                    assert np.array_equal(env.observe(agent)[name], array[0, seat])
            assert np.array_equal(of_single[name], array[0, 0])
            assert np.array_equal(of_vector[name], array[:, 0])
        assert of_single in single.observation_space and of_vector in vector.observation_space
        for state in (parallel.state(), turn_based.state(), vector.state()[0]):
            assert np.array_equal(state, batch.state()[0])
        actions = choose_all(batch.seen["action_mask"])
        batch.step(actions)
        parallel.step(dict(zip(parallel.agents, actions[0].tolist(), strict=True)))
        for action in actions[0].tolist():
            turn_based.step(action)
        of_single, of_vector = single.step(actions[0, 0])[0], vector.step(actions[:, 0])[0]


@pytest.mark.slow
@pytest.mark.parametrize("scaled", [False, True])
def test_torchrl_observes_what_the_batch_does(*, scaled: bool) -> None:
    library("torchrl.envs")
    from mindup_env.torchrl import TorchRLMindUp  # noqa: PLC0415  # only here is it installed

    given: dict[str, Any] = {**TABLE, "num_players": 3, "pad_to_players": 6}
    env = TorchRLMindUp(2, return_state=True, scaled=scaled, seed=3, **given)
    library("torchrl.envs.utils").check_env_specs(env, seed=3)
    batch = BatchEnv(config_of(3), 2, pad_to_players=6)
    batch.reset(seed=3)
    env.set_seed(3)
    seen = env.reset()
    for name, layout, expected in (
        (("player", "observation"), batch.layout, batch.seen["observation"]),
        ("state", batch.state_layout, batch.state()),
    ):
        assert env.observation_spec[name].shape[-1] == layout.size
        found = seen[name].numpy()
        largest = np.maximum(np.abs(layout.low.astype(float)), layout.high).clip(1)
        np.testing.assert_allclose(found * (largest if scaled else 1), expected, atol=1e-4)


def test_bots_observe_without_padding() -> None:
    config = config_of(3)
    env, present = BatchEnv(config, 4, pad_to_players=5), BatchEnv(config, 4)
    bots = [Recorder(config), Recorder(config)]
    for each, bot in zip((env, present), bots, strict=True):
        each.reset(seed=2)
        seats, actions = ScriptedSeats(each, {0: bot, 2: bot}), choose_all(each.seen["action_mask"])
        seats.act(actions)
    assert everything(tuple(bots[0].asked[0])) == everything(tuple(bots[1].asked[0]))
    recorders = [Recorder(config), Recorder(config)]
    for padded, bot in zip((None, 6), recorders, strict=True):
        vector = gymnasium.make_vec(
            "MindUp-v0", num_envs=3, num_players=3, opponents=[bot], pad_to_players=padded, **TABLE
        )
        seen, _ = vector.reset(seed=1)
        for _ in range(2 * config.num_turns):
            seen, *_ = vector.step(choose_all(seen["action_mask"]))
    for asked, again in zip(*(bot.asked for bot in recorders), strict=True):
        assert everything(tuple(asked)) == everything(tuple(again))


class Sizes:
    """A reward that remembers the shapes of the states that it saw."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def compute_rewards(self, transition: Transition) -> Any:
        for state in (transition.before, transition.after):
            self.seen.append({name: part.copy() for name, part in state.items()})
        return np.zeros_like(transition.points_gained)


def test_rewards_see_the_players_at_the_table_alone() -> None:
    rewards = Sizes(), Sizes()
    for padded, reward in zip((None, 6), rewards, strict=True):
        env = BatchEnv(config_of(3), 2, reward=reward, pad_to_players=padded)
        env.reset(seed=1)
        for _ in range(config_of(3).num_turns + 1):
            env.step(choose_all(env.seen["action_mask"]))
    for state, other in zip(*(reward.seen for reward in rewards), strict=True):
        assert everything(state) == everything(other) and "seats" not in state
