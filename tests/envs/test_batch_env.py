"""A batch of games plays each of them as a game of its own would be played."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, Game, GameConfig
from tests.envs.expected import assert_seen
from tests.envs.playing import (
    SHORT,
    deals,
    lowest_legal,
    play_all,
    points,
    random_legal,
    ranks,
    win_share,
)

CONFIGS = [
    GameConfig(num_players=3, num_objectives=1),
    GameConfig(num_players=4),
    GameConfig(num_players=6, num_objectives=5),
    GameConfig(num_players=2, num_objectives=2, num_rounds=4, hand_size=3),
]
configs = pytest.mark.parametrize("config", CONFIGS, ids=lambda config: f"{config.num_players}p")


def test_shapes_and_types() -> None:
    config, seats = CONFIGS[0], (5, 3)
    env = BatchEnv(config, 5, autoreset=False)
    size, cards, of_games = env.layout.size, config.num_cards, ((5,), np.bool_)
    views = {
        "observation": ((*seats, size), np.int8),
        "action_mask": ((*seats, cards), np.int8),
    }
    seen, info = env.reset(seed=1)
    assert info == {} and forms(seen) == views
    while not env.game(0).over:
        seen, rewards, over, truncated, info = env.step(lowest_legal(seen))
        assert forms(seen) == views
        told = forms({"rewards": rewards, "over": over, "truncated": truncated})
        assert told == {"rewards": (seats, np.float32), "over": of_games, "truncated": of_games}
    assert forms(info) == {
        "points_gained": (seats, np.float32),
        "illegal_actions": (seats, np.bool_),
        "round_over": (seats, np.bool_),
        "round_score": ((*seats, 3), np.int8),
        **dict.fromkeys(("score", "rank"), (seats, np.int32)),
        "win_share": (seats, np.float32),
    }


def forms(arrays: dict[Any, Any]) -> dict[Any, Any]:
    return {name: (array.shape, array.dtype) for name, array in arrays.items()}


@configs
def test_every_slot_turn_and_seat_is_as_in_a_game_of_its_own(config: GameConfig) -> None:
    num_envs = 3
    env, chance = BatchEnv(config, num_envs, reward="score"), np.random.default_rng(2)
    seen, _ = env.reset(seed=7)
    for episode in range(2):
        games = deals(config, 7, num_envs, episode)
        while not games[0].over:
            assert_all_seen(env, seen, games)
            before, actions = [points(game) for game in games], random_legal(seen, chance)
            play_all(games, actions)
            seen, rewards, over, truncated, info = env.step(actions)
            gained = np.array([points(game) for game in games]) - before
            np.testing.assert_array_equal(info["points_gained"], gained)
            np.testing.assert_array_equal(rewards, gained)
            assert over.tolist() == [game.over for game in games]
            assert not truncated.any() and not info["illegal_actions"].any()
        assert_ended(env, info, games)
    assert_all_seen(env, seen, deals(config, 7, num_envs, 2))


def test_random_actions_are_legal_and_those_of_the_seed() -> None:
    env, twin = (BatchEnv(SHORT, 200) for _ in range(2))
    for each in (env, twin):
        each.reset(seed=5)
    for _ in range(2 * SHORT.num_turns):
        actions = env.random_actions()
        assert np.array_equal(actions, twin.random_actions())
        hands = env.seen["action_mask"].sum(axis=2)
        places = np.take_along_axis(env.seen["action_mask"].cumsum(axis=2), actions[..., None], 2)
        assert {*np.unique(places)} == {*range(1, hands.max() + 1)}, "each card of a hand comes"
        for each in (env, twin):
            each.step(actions)


def test_random_actions_of_two_seats_are_independent() -> None:
    """Each pair of cards is played about equally often."""
    env = BatchEnv(GameConfig(6), 10_000)
    seen, _ = env.reset(seed=5)
    hands = seen["action_mask"].cumsum(axis=2) - 1
    places = np.take_along_axis(hands, env.random_actions()[..., None], 2)[..., 0]  # (N, P)
    size = hands.max() + 1
    for one, other in combinations(range(6), 2):
        pairs = np.bincount(places[:, one] * size + places[:, other], minlength=size**2)
        expected = env.num_envs / size**2
        assert (abs(pairs - expected) < 5 * np.sqrt(expected)).all()


def test_ties_share_the_victory() -> None:
    config = GameConfig(num_players=3, num_rounds=2, hand_size=2)
    env, games = BatchEnv(config, 2000), deals(config, 3, 2000)
    seen, _ = env.reset(seed=3)
    while not games[0].over:
        actions = lowest_legal(seen)
        play_all(games, actions)
        seen, _, _, _, info = env.step(actions)
    assert_results(info, games)
    # Nothing would be proved about ties, or their breaking, if there were none.
    assert {len(game.winners) for game in games} == {1, 2, 3}
    assert any(len(game.winners) < game.scores.count(max(game.scores)) for game in games), (
        "a tie that is broken"
    )


def test_games_that_end_at_different_times_are_dealt_anew_one_by_one() -> None:
    env, chance = BatchEnv(SHORT, 3), np.random.default_rng(5)
    env.reset(seed=4)
    ahead = Game(SHORT, seed=40)
    ahead.play([ahead.hand(player)[0] for player in range(SHORT.num_players)])
    seen = env.set_game(1, ahead)
    games = [env.game(index) for index in range(3)]
    for _ in range(3 * SHORT.num_turns - 1):
        actions = random_legal(seen, chance)
        play_all(games, actions)
        seen, _, over, _, info = env.step(actions)
        assert over.tolist() == [game.over for game in games]
        assert ("final_observation" in info) == ("score" in info) == over.any()
        if over.any():
            assert_ended(env, info, games)
            assert not info["win_share"][~over].any(), "none ended there"
        for index in np.flatnonzero(over):
            episode = int(env.keys[index, 2])
            games[index] = Game(SHORT, 4, slot=int(index), episode=episode)
        assert_all_seen(env, seen, games)
    assert env.keys[:, 2].tolist() == [2, 3, 2]


def win_by_function(gained: Any, over: Any, win_share: Any) -> Any:
    return (win_share - 1 / gained.shape[1]) * over[:, None]


@pytest.mark.parametrize("reward", ["0.1*margin+win", win_by_function])
def test_without_autoreset_a_finished_game_stands_still(reward: Any) -> None:
    env = BatchEnv(SHORT, 2, reward=reward, autoreset=False)
    seen, _ = env.reset(seed=4)
    games, chance = deals(SHORT, 4, 2), np.random.default_rng(1)
    for _ in range(SHORT.num_turns):
        actions = random_legal(seen, chance)
        play_all(games, actions)
        seen, _, over, _, info = env.step(actions)
    for nonsense in (actions * 0, actions, actions * 0 + 99, actions * 0 - 1):
        assert over.all()
        assert "final_observation" not in info
        assert_all_seen(env, seen, games)
        # Every game is over, so no action can be wrong; nor is any paid.
        seen, rewards, over, truncated, info = env.step(nonsense)
        assert not rewards.any() and not truncated.any()
        assert not info["points_gained"].any() and not info["illegal_actions"].any()
    seen, _ = env.reset()
    assert_all_seen(env, seen, deals(SHORT, 4, 2, 1))
    assert not env.step(random_legal(seen, chance))[2].any()


@configs
def test_a_state_has_all_hands_and_what_each_seat_sees(config: GameConfig) -> None:
    """The state of a seat is that of the game with rotated seats."""
    batch, players = BatchEnv(config, 3, autoreset=False), config.num_players
    layout, chance = batch.state_layout, np.random.default_rng(6)
    batch.reset(seed=6)
    for _ in range(config.num_turns + 1):
        per_seat, states = batch.state(per_seat=True), batch.state()
        assert per_seat.shape == (3, players, layout.size)
        assert np.array_equal(per_seat[:, 0], states)
        views, first = layout.views(per_seat), layout.views(states)
        for index, hands in enumerate(first["hands"]):
            for player, hand in enumerate(hands):
                assert tuple((np.flatnonzero(hand) + 1).tolist()) == batch.game(index).hand(player)
        for seat in range(players):
            assert np.array_equal(views["hands"][:, seat], np.roll(first["hands"], -seat, axis=1))
            # The public part is what the seat observes.
            public = batch.seen["observation"][:, seat, config.num_cards :]
            assert np.array_equal(per_seat[:, seat, players * config.num_cards :], public)
        batch.step(random_legal(batch.seen, chance))


def assert_all_seen(env: BatchEnv, seen: dict[str, Any], games: list[Game]) -> None:
    for index, game in enumerate(games):
        assert env.game(index) == game
        assert_seen(env.layout, seen["observation"][index], seen["action_mask"][index], game)


def assert_ended(env: BatchEnv, info: dict[str, Any], games: list[Game]) -> None:
    """What is said about the games that ended, and what was seen last of all games."""
    final = info["final_observation"]
    for index, game in enumerate(games):
        assert_seen(env.layout, final["observation"][index], final["action_mask"][index], game)
    assert_results(info, games)


def assert_results(info: dict[str, Any], games: list[Game]) -> None:
    for index, game in enumerate(games):
        if game.over:
            assert info["score"][index].tolist() == list(game.scores)
            assert info["rank"][index].tolist() == ranks(game)
            np.testing.assert_allclose(info["win_share"][index], win_share(game), rtol=1e-6)
