"""A seed is the same games through every API, on every run; and what Gymnasium asks of its two."""

import copy
from collections.abc import Iterator
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Discrete, MultiDiscrete
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, VectorEnv

from mindup_env import Game, GameConfig, mindup_v0
from mindup_env.envs.single_agent import MindUpEnv
from mindup_env.envs.vector_env import MindUpVectorEnv
from tests.envs.apis import EveryApi, assert_same
from tests.envs.bots import choose_all
from tests.envs.playing import points, spoil

SEED = 2**64 - 5


def shared(gained: Any, over: Any, win_share: Any) -> Any:
    """Points, and half of the victory."""
    return gained + 0.5 * win_share * over[:, None]


CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "published": ({}, {}),
    "short": ({"num_players": 2, "num_rounds": 2, "hand_size": 2}, {"reward": "score"}),
    "objectives": ({"num_players": 3, "num_objectives": 2}, {"reward": "0.1*margin + 2*win"}),
    "fixed seat": ({"num_players": 3, "num_objectives": 1}, {"seat": 2, "reward": "margin+win"}),
    "six": ({"num_players": 6, "num_objectives": 5}, {"reward": shared}),
}


@pytest.mark.parametrize(("table", "options"), CASES.values(), ids=CASES)
def test_every_api_plays_the_games_of_a_batch(
    table: dict[str, Any], options: dict[str, Any]
) -> None:
    apis, paid = EveryApi(table, **options), set()
    for episode in range(3):
        apis.reset(None if episode else SEED)
        game, over = Game(apis.config, SEED, episode=episode), False
        while not over:
            assert apis.parallel.game == game
            apis.check_seen()
            actions = choose_all(apis.batch.seen["action_mask"])[0]
            before = points(game)
            game.play((actions + 1).tolist())
            over = apis.step()
            gained = [info["points_gained"] for info in apis.infos.values()]
            assert gained == (points(game) - before).tolist()
            paid.add(tuple(apis.rewards.values()))
        assert game.over and len(game.plays) == apis.config.num_turns
        apis.leave()
    assert len(paid) > 2


def test_without_a_seed_every_environment_deals_other_games() -> None:
    games = []
    for _ in range(2):
        vector: Any = gymnasium.make_vec("MindUp-v0", num_envs=2)
        alone: list[Any] = [mindup_v0.parallel_env(), gymnasium.make("MindUp-v0").unwrapped]
        for env in (vector, *alone):
            env.reset()
        games += [*(env.game for env in alone), *(vector.game(index) for index in range(2))]
    assert len({game.deal.deck for game in games}) == len(games) == 8
    assert len({game.deal.score_orders for game in games}) > 4


def play_parallel(env: Any) -> Iterator[Any]:
    """All that two episodes show; the caller may write into each answer."""
    for seed in (3, None):
        masks = [np.array(seen["action_mask"]) for seen in env.reset(seed=seed)[0].values()]
        while env.agents:
            yield env.state(), *map(env.observe, env.possible_agents)
            choices = choose_all(np.array(masks)).tolist()
            answer = env.step(dict(zip(env.agents, choices, strict=True)))
            masks = [np.array(seen["action_mask"]) for seen in answer[0].values()]
            yield answer


def play_vector(env: Any) -> Iterator[Any]:
    answer = env.reset(seed=3)
    for _ in range(2 * 21 + 1):
        actions = choose_all(answer[0]["action_mask"])
        yield answer
        answer = env.step(actions)


@pytest.mark.parametrize(
    ("make", "play"),
    [
        (mindup_v0.parallel_env, play_parallel),
        (partial(gymnasium.make_vec, "MindUp-v0", num_envs=2), play_vector),
    ],
    ids=["parallel", "vector"],
)
def test_what_was_returned_can_be_changed_and_later_steps_leave_it(make: Any, play: Any) -> None:
    kept = []
    for answer, other in zip(*(play(make(num_objectives=1)) for _ in range(2)), strict=True):
        assert_same(answer, other)
        kept.append((answer, copy.deepcopy(answer)))
        spoil(other)
    for answer, as_it_was in kept:
        assert_same(answer, as_it_was)


# Gymnasium

# Five turns, so that episodes end soon.
SHORT: dict[str, Any] = {"num_players": 3, "num_objectives": 1, "num_rounds": 2, "hand_size": 3}
CONFIG = GameConfig(**SHORT)


def vector(num_envs: int = 3, **arguments: Any) -> Any:
    return gymnasium.make_vec("MindUp-v0", num_envs=num_envs, **{**SHORT, **arguments})


@pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning")
@pytest.mark.parametrize(
    "table",
    [{"num_players": 2, "num_rounds": 1}, {"num_players": 6, "num_objectives": 5, "seat": 5}],
    ids=str,
)
def test_both_are_made_by_name_and_have_the_spaces_of_gymnasium(table: dict[str, Any]) -> None:
    alone = gymnasium.make("MindUp-v0", **table)
    check_env(alone.unwrapped)
    assert isinstance(alone.unwrapped, MindUpEnv)
    assert isinstance(alone.action_space, Discrete) and alone.action_space.n == 60
    for num_envs in (1, 5):
        env: Any = gymnasium.make_vec("MindUp-v0", num_envs=num_envs, **table)
        assert isinstance(env, MindUpVectorEnv) and isinstance(env, VectorEnv)
        assert env.num_envs == num_envs
        assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
        assert env.single_observation_space == alone.observation_space
        assert env.single_action_space == alone.action_space
        assert env.action_space == MultiDiscrete([60] * num_envs)
        seen, info = env.reset(seed=8)
        assert seen in env.observation_space
        assert (info["seat"] == table.get("seat", info["seat"])).all()


def test_it_resets_as_gymnasiums_own_vector_of_single_environments_does() -> None:
    same_step = {"autoreset_mode": AutoresetMode.SAME_STEP}
    envs = vector(1), vector(1, vectorization_mode="sync", vector_kwargs=same_step)
    (seen, info), (their_seen, their_info) = (env.reset(seed=8) for env in envs)
    for _ in range(2 * CONFIG.num_turns + 1):
        assert data_equivalence(seen, their_seen, exact=True)
        for name in ("seat", "final_obs", "_final_obs"):
            assert data_equivalence(info.get(name), their_info.get(name), exact=True)
        actions = choose_all(seen["action_mask"])
        (seen, paid, *ended, info), theirs = (env.step(actions) for env in envs)
        their_seen, their_paid, *their_ended, their_info = theirs
        assert paid.tolist() == their_paid.tolist()
        assert data_equivalence(ended, their_ended, exact=True)


def test_a_mask_resets_games_as_in_gymnasiums_own_vector() -> None:
    disabled = {"autoreset_mode": AutoresetMode.DISABLED}
    own = vector(2, autoreset=False)
    theirs = vector(2, vectorization_mode="sync", vector_kwargs=disabled)
    seen, their_seen = (env.reset(seed=[8, 9])[0] for env in (own, theirs))
    for turn in range(CONFIG.num_turns):
        actions = choose_all(seen["action_mask"])
        (seen, *results, _), (their_seen, *their_results, _) = (
            env.step(actions) for env in (own, theirs)
        )
        assert [*map(list, results)] == [*map(list, their_results)]
        for mask in {0: [[True, False]], 2: [[False, True], [True, True]]}.get(turn, []):
            options = {"reset_mask": np.array(mask)}
            seen, their_seen = (env.reset(options=dict(options))[0] for env in (own, theirs))
        assert data_equivalence(seen, their_seen, exact=True)
    with pytest.raises(ValueError, match=r"mask must be bool of shape \(2,\) \(games\)"):
        own.reset(options={"reset_mask": [True, False]})
    with pytest.raises(ValueError, match="unknown reset option 'reset_mask'; accepted: none"):
        vector(2).reset(options=options)
