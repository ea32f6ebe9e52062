"""Observations and states that have the same layout for every number of players."""

import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

from mindup_env import BatchEnv, GameConfig, Layout, ScriptedSeats, StateLayout, mindup_v0
from mindup_env.observation.vector_layout import VectorLayout
from tests.envs.bots import Recorder, choose_all
from tests.envs.playing import everything, random_legal

TABLE: dict[str, Any] = {"num_objectives": 2, "num_rounds": 2, "hand_size": 3}
ALWAYS_FIRST = ("hand", "row", "score_cards", "round", "turn", "objectives", "objectives_used")


def config_of(players: int) -> GameConfig:
    return GameConfig(num_players=players, **TABLE)


def assert_padded(
    padded: VectorLayout, vectors: npt.NDArray[Any], present: VectorLayout, expected: Any
) -> None:
    """Each part is that of the present layout, with zeros for the players that are not there."""
    players, views = present.config.num_players, padded.views(vectors)
    others = padded.num_blocks - players
    seats = np.full((*vectors.shape[:-1], padded.num_blocks), [1] * players + [0] * others)
    assert np.array_equal(views.pop("seats"), seats)
    for name, part in present.views(expected).items():
        if part.shape == views[name].shape and (others == 0 or name in ALWAYS_FIRST):
            assert np.array_equal(views[name], part), name
            continue
        axis = vectors.ndim - 1
        there, absent = np.split(views[name], [players], axis=axis)
        assert np.array_equal(there, part), name
        assert absent.shape[axis] == others and not absent.any(), name


@pytest.mark.parametrize(("players", "padded"), [(2, 2), (2, 3), (3, 6), (6, 6)])
def test_each_part_is_that_of_the_present_layout(players: int, padded: int) -> None:
    """What a user writes into padding is gone after a step."""
    config, chance = config_of(players), np.random.default_rng(players)
    present, env = BatchEnv(config, 3), BatchEnv(config, 3, pad_to_players=padded)
    for each in (present, env):
        each.reset(seed=padded)
    for _ in range(2 * config.num_turns):
        own, other = present.seen["observation"], env.seen["observation"]
        assert_padded(env.layout, other, present.layout, own)
        assert np.array_equal(env.layout.unpad(other), own)
        assert np.array_equal(env.layout.pad(own), other)
        for per_seat in (False, True):
            states = [each.state(per_seat=per_seat) for each in (env, present)]
            assert_padded(env.state_layout, states[0], present.state_layout, states[1])
            states[0][...] = 7
        other[...] = 7
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


@pytest.mark.parametrize(
    "make",
    [
        lambda table, padded: BatchEnv(GameConfig(**table), pad_to_players=padded),
        lambda table, padded: mindup_v0.env(**table, pad_to_players=padded),
        lambda table, padded: gymnasium.make("MindUp-v0", **table, pad_to_players=padded),
        lambda table, padded: gymnasium.make_vec("MindUp-v0", **table, pad_to_players=padded),
    ],
)
@pytest.mark.parametrize("padded", [3, 7])
def test_fewer_players_than_play_and_more_than_can_are_refused(
    make: Callable[..., Any], padded: Any
) -> None:
    with pytest.raises(ValueError, match=re.escape("pad_to_players must be")):
        make({"num_players": 4}, padded)


def test_bots_observe_without_padding() -> None:
    config = config_of(3)
    at_seats, around = [[Recorder(config) for _ in range(2)] for _ in range(2)]
    for padded, of_batch, of_vector in zip((None, 6), at_seats, around, strict=True):
        env = BatchEnv(config, 4, pad_to_players=padded)
        env.reset(seed=2)
        ScriptedSeats(env, {0: of_batch, 2: of_batch}).act(choose_all(env.seen["action_mask"]))
        given: dict[str, Any] = {**TABLE, "num_players": 3, "pad_to_players": padded}
        vector = gymnasium.make_vec("MindUp-v0", num_envs=3, opponents=[of_vector], **given)
        seen, _ = vector.reset(seed=1)
        for _ in range(2 * config.num_turns):
            seen, *_ = vector.step(choose_all(seen["action_mask"]))
    for present, padded_bot in (at_seats, around):
        assert len(present.asked) == len(padded_bot.asked) > 0
        for asked, again in zip(present.asked, padded_bot.asked, strict=True):
            assert everything(tuple(asked)) == everything(tuple(again))
