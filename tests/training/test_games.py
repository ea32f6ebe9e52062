"""The games of a training: who learns, what it sees, and who plays the other seats."""

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from mindup_env import BatchEnv, IllegalActionWarning
from mindup_env.envs import seated_bots
from mindup_training.games import TrainingGames
from tests.envs.bots import Recorder, choose_all
from tests.envs.playing import SHORT

TURNS, CARDS = SHORT.num_turns, SHORT.num_cards
BOTS = "2:random", "tests.envs.bots:ByHand"


def make(
    num_envs: int = 6, bots: tuple[str, ...] = BOTS, seed: int = 3, **others: Any
) -> TrainingGames:
    return TrainingGames(SHORT, num_envs, bots, others.pop("reward", "margin+win"), seed, **others)


def mixed(
    bots: list[Any], weights: list[float], num_envs: int, monkeypatch: pytest.MonkeyPatch
) -> TrainingGames:
    """Games against these objects, drawn by the weights."""
    monkeypatch.setattr(seated_bots, "as_agent", lambda name, _: bots[int(name)])
    return make(num_envs, tuple(f"{weight:.9f}:{name}" for name, weight in enumerate(weights)))


def choices(games: TrainingGames) -> npt.NDArray[np.int64]:
    return choose_all(games.action_masks().astype(np.int8))


def test_learners_see_and_get_what_an_agent_in_their_seats_would() -> None:
    games, env = make(bots=("lowest",)), BatchEnv(SHORT, 6, reward="margin+win", autoreset=False)
    for _ in range(2):
        found: Any = games.reset()
        env.reset(0)
        seen = env.set_state(range(6), games.env.get_state(range(6)))
        places, total = (np.arange(6), games.seats.copy()), np.zeros(6)
        for turn in range(TURNS):
            assert np.array_equal(found["observation"], seen["observation"][places])
            assert np.array_equal(games.action_masks(), seen["action_mask"][places] != 0)
            actions = seen["action_mask"].argmax(axis=2)
            seen, rewards, over, _, info = env.step(actions)
            shown = found
            found, gained, ended, infos = games.step(actions[places])
            assert np.array_equal(gained, rewards[places]) and gained.dtype == np.float32
            assert ended.tolist() == over.tolist() == [turn == TURNS - 1] * 6
            after = (places[1][:, None] + [1, 2]) % 3
            assert np.array_equal(shown["played"], actions[np.arange(6)[:, None], after])
            total += gained
        assert games.win_share == pytest.approx(info["win_share"][places].mean())
        assert [each["episode"]["r"] for each in infos] == pytest.approx(total)
        assert {each["episode"]["l"] for each in infos} == {TURNS}


def test_the_state_of_the_network_is_shown_in_the_next_turn_of_the_game() -> None:
    games = make(state_shapes=[(2,), (3, CARDS)])
    found: Any = games.reset()
    for turn in range(TURNS):
        for index, (state, shape) in enumerate(zip(games.state, [(2,), (3, CARDS)], strict=True)):
            shown = found[f"state_{index}"]
            assert shown.shape == (6, *shape) and (shown == turn).all()
            state[...] = turn + 1
            assert (shown == turn).all(), "it is a copy"
        found, *_ = games.step(choices(games))
    assert not found["state_0"].any() and not found["state_1"].any()


def test_what_sb3_asks_of_an_environment() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        games = make(state_shapes=[(2,)])
    with pytest.raises(AttributeError, match="episode cannot be set"):
        games.set_attr("episode", 1)
    found = games.reset()
    space = games.observation_space
    assert space.contains({name: each[0] for name, each in found.items()})
    assert is_masking_supported(games)
    assert np.array_equal(get_action_masks(games), games.action_masks())
    with pytest.raises(IllegalActionWarning):
        games.step((~games.action_masks()).argmax(axis=1))


def test_a_seed_repeats_all_and_an_episode_depends_on_its_number() -> None:
    def played(games: TrainingGames, episodes: int) -> list[npt.NDArray[Any]]:
        first, turns = games.reset(), range(episodes * TURNS)
        rest: Any = (games.step(choices(games))[0] for _ in turns)
        return [each["observation"] for each in (first, *rest)]

    told = played(make(), 3)
    assert all(map(np.array_equal, told, played(make(), 3)))
    assert not all(map(np.array_equal, told, played(make(seed=4), 3)))
    late = make()
    late.episode = 1
    assert all(map(np.array_equal, told[2 * TURNS :], played(late, 1)))


def test_the_learner_and_the_bots_are_drawn_anew_for_each_deal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    *bots, rare = (Recorder(SHORT) for _ in range(4))
    games = mixed([*bots, rare], [3.0, 1.0, 0.5, 1e-9], 2000, monkeypatch)
    games.reset()
    seats = games.seats.copy()
    for _ in range(2 * TURNS):
        games.step(choices(games))
    assert (np.abs(np.bincount(seats) - 2000 / 3) < 4 * np.sqrt(2000 / 3)).all()
    assert (games.seats != seats).any()
    rows = np.array([[len(asked.random_bits) for asked in bot.asked] for bot in bots])
    assert (rows.sum(axis=0) == 2 * 2000).all(), "both other seats of every game, once a step"
    for deal in (rows[:, :TURNS], rows[:, TURNS:]):
        assert (deal == deal[:, :1]).all(), "nobody changes during a deal"
        expected = 4000 * np.array([3.0, 1.0, 0.5]) / 4.5
        assert (np.abs(deal[:, 0] - expected) < 4 * np.sqrt(expected)).all()
    assert (rows[:, 0] != rows[:, TURNS]).any()
    assert not rare.asked, "it has no seat, and is not asked about nothing"
    # Of seats drawn independently, a part of 9 in 20.25 has the first bot twice.
    both = ((games.seating == 0).sum(axis=1) == 2).mean()
    assert abs(both - 9 / 20.25) < 0.045
