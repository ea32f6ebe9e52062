"""The games of a training: who learns, what it sees, and who plays the other seats."""

import warnings
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from mindup_agents.features import make_encoder
from mindup_agents.features.base import FeatureShape
from mindup_agents.mixture import OpponentShare, parse_share
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.envs.random_bits import draw_random_bits
from mindup_training import opponent_mix
from mindup_training.envs import LearnerGames
from mindup_training.sb3 import MindUpVecEnv
from mindup_training.settings import TrainSettings
from tests.envs.bots import Recorder, choose_all
from tests.envs.playing import SHORT

TURNS = SHORT.num_turns
HANDS = make_encoder("raw-1", SHORT).shape.hand_begins


class Spied:
    """Features that keep what they were given."""

    shape = FeatureShape(1, 1, SHORT.largest_hand)
    given: ClassVar[list[Any]] = []

    def __init__(self, config: GameConfig) -> None:
        pass

    def fill(self, *given: Any) -> None:
        self.given.append([array.copy() for array in given])


def settings_of(num_envs: int = 6, **changes: Any) -> TrainSettings:
    plain = {
        "game": SHORT.to_dict(),
        "opponents": ["2:random", "tests.envs.bots:ByHand"],
        "reward": "margin+win",
        "num_envs": num_envs,
        "seed": 3,
        "threads": 1,
    }
    return TrainSettings().changed({**plain, **changes})


def make(num_envs: int = 6, **changes: Any) -> MindUpVecEnv:
    return MindUpVecEnv(settings_of(num_envs, **changes))


def mixed(bots: list[Any], weights: list[float], num_games: int) -> LearnerGames:
    """Games against a mix of bots."""
    games = LearnerGames(settings_of(), num_games)
    mix = [f"{weight:.9f}:{name}" for name, weight in enumerate(weights)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opponent_mix, "make_agent", lambda name, _: bots[int(name)])
        games.opponents = opponent_mix.MixedOpponents(SHORT, mix, num_games)
    return games


def by_hand(env: MindUpVecEnv) -> npt.NDArray[np.int64]:
    return choose_all(env.action_masks().astype(np.int8))


def played(env: MindUpVecEnv, steps: int, *, reset: bool = True) -> list[tuple[Any, ...]]:
    """What a reset and so many steps bring."""
    told: list[tuple[Any, ...]] = [(env.reset(), env.action_masks())] if reset else []
    for _ in range(steps):
        observation, rewards, over, infos = env.step(by_hand(env))
        told.append((observation, env.action_masks(), rewards, over, infos))
    return told


def same(told: list[tuple[Any, ...]], others: list[tuple[Any, ...]]) -> bool:
    return all(
        all(np.array_equal(*both) for both in zip(step[:4], other[:4], strict=True))
        and step[4:] == other[4:]
        for step, other in zip(told, others, strict=True)
    )


def test_learners_get_what_an_agent_in_their_seats_would(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Spied, "given", [])
    games = LearnerGames(settings_of(features=f"{__name__}:Spied", opponents=["lowest"]), 6)
    games.deal(5, 0)
    env, drawn = BatchEnv(SHORT, 6, reward="margin+win"), np.zeros(6, np.uint64)
    env.reset(0)
    seen = env.set_state(range(6), games.env.get_state(range(6)))
    for turn in range(2 * TURNS):
        seats = np.arange(6), games.seats.copy()
        observation, mask, begins, random_bits, _ = Spied.given[-1]
        assert np.array_equal(observation, seen["observation"][seats])
        assert np.array_equal(mask, seen["action_mask"][seats])
        assert np.array_equal(games.masks, mask)
        assert begins.tolist() == [turn % TURNS == 0] * 6
        rows = seats[0] * SHORT.num_players + seats[1]
        draw_random_bits(env.keys, rows, SHORT.num_players, turn % TURNS, drawn)
        assert np.array_equal(random_bits, drawn)
        seen, rewards, over, _, info = env.step(seen["action_mask"].argmax(axis=2))
        found = games.step(mask.argmax(axis=1))
        assert np.array_equal(found.rewards, rewards[seats])
        shares = info["win_share"][seats] if over.all() else np.zeros(6)
        assert np.array_equal(found.win_shares, shares)
        assert found.over == (turn % TURNS == TURNS - 1)
        if found.over:
            games.begin()
    assert len({tuple(given[3].tolist()) for given in Spied.given}) == 2 * TURNS + 1


def test_the_learning_seat_is_drawn_anew_for_each_deal() -> None:
    games = mixed([Recorder(SHORT)], [1.0], 3000)
    games.deal(5, 0)
    first = games.seats.copy()
    assert (np.abs(np.bincount(first) - 1000) < 4 * np.sqrt(1000)).all()
    games.deal(5, 1)
    assert (games.seats != first).any()


def test_opponents_play_all_other_seats() -> None:
    bots = [Recorder(SHORT), Recorder(SHORT)]
    games = mixed(bots, [1.0, 1.0], 50)
    games.deal(5, 0)
    left = np.ones((50, 3), np.bool_)
    left[np.arange(50), games.seats] = False
    hands = games.env.seen["action_mask"][left]
    games.step(games.masks.argmax(axis=1))
    asked = [hand for bot in bots for given in bot.asked for hand in given.action_mask]
    assert sorted(map(bytes, asked)) == sorted(map(bytes, hands))


def test_what_sb3_asks_of_an_environment() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = make()
    assert env.num_envs == 6 and env.render_mode is None
    assert env.get_attr("episode") == [-1] * 6 and not env.has_attr("nothing")
    assert env.env_is_wrapped(VecMonitor) == [False] * 6
    with pytest.raises(AttributeError, match="episode cannot be set"):
        env.set_attr("episode", 1)
    for observation, masks, *rest in played(env, 2 * TURNS):
        assert env.observation_space.contains(observation[0]) and masks.dtype == np.bool_
        for hand, mask in zip(observation[:, HANDS:], masks, strict=True):
            assert [card for card in hand if card >= 0] == np.flatnonzero(mask).tolist()
        if rest:
            rewards, over, infos = rest
            assert rewards.shape == over.shape == (6,) and len(infos) == 6
            assert rewards.dtype == np.float32 and over.dtype == np.bool_
    assert is_masking_supported(env)
    assert isinstance(env.env_method("action_masks"), np.ndarray)
    assert np.array_equal(get_action_masks(env), env.action_masks())
    env.close()


def test_results_are_those_of_whole_games() -> None:
    env, games = make(), LearnerGames(settings_of(), 6)
    env.reset()
    for episode in range(2):
        games.deal(3, episode)
        total = np.zeros(6)
        for _ in range(TURNS):
            found = games.step(choose_all(games.masks))
            _, rewards, over, infos = env.step(by_hand(env))
            assert np.array_equal(rewards, found.rewards) and over.tolist() == [found.over] * 6
            total += rewards
            assert infos == [{}] * 6
        own_returns, shares = env.results
        assert own_returns == pytest.approx(total) and np.array_equal(shares, found.win_shares)


def test_arrays_are_the_callers_own() -> None:
    env = make()
    first, masks = env.reset(), env.action_masks()
    kept = first.copy(), masks.copy()
    env.step(choose_all(masks.astype(np.int8)))
    assert np.array_equal(first, kept[0]) and np.array_equal(masks, kept[1])
    with pytest.raises(ValueError, match="cannot take action"):
        env.step((~env.action_masks()).argmax(axis=1))


class Cheat:
    """Plays a card that it does not hold, from the second turn on."""

    def act(self, _seen: Any, action_mask: Any, episode_start: Any, _bits: Any) -> Any:
        return (action_mask == episode_start[:, None]).argmax(axis=1)


def test_an_illegal_action_names_the_opponent_and_the_turn() -> None:
    games = mixed([make_agent("lowest", SHORT), Cheat()], [1, 1], 8)
    games.deal(0, 0)
    games.step(games.masks.argmax(axis=1))
    with pytest.raises(ValueError, match=r"opponent 1 cannot take action \d+ in turn 2; legal"):
        games.step(games.masks.argmax(axis=1))
    games = mixed([make_agent("lowest", SHORT)], [1], 8)
    games.deal(0, 0)
    with pytest.raises(ValueError, match=r"in game 0, player \d cannot take action -1"):
        games.step(np.full(8, -1))


def test_a_wrong_reward_is_not_taken_for_an_illegal_action() -> None:
    games = LearnerGames(settings_of(reward="tests.training.own_parts:reward_of_games"), 6)
    games.deal(0, 0)
    with pytest.raises(ValueError, match=r"the result of a reward .* not float32 of shape \(6,\)"):
        games.step(choose_all(games.masks))


def test_features_that_are_not_finite_are_refused() -> None:
    own = "tests.training.own_parts:NotFinite"
    with pytest.raises(
        ValueError, match=rf"features {own} must be .* turn 1 feature 2 of a seat is"
    ):
        make(features=own).reset()


def test_a_seed_repeats_all_and_episodes_can_be_dealt_by_number() -> None:
    told = played(make(), 3 * TURNS)
    assert same(told, played(make(), 3 * TURNS))
    assert not same(told, played(make(seed=4), 3 * TURNS))
    late = make()
    late.episode = 1
    assert same(told[2 * TURNS + 1 :], played(late, TURNS)[1:])


def play(games: LearnerGames) -> None:
    games.begin()
    for _ in range(TURNS):
        games.step(choose_all(games.masks))


def test_bots_are_drawn_by_their_weights_anew_for_each_deal() -> None:
    *bots, rare = (Recorder(SHORT) for _ in range(4))
    games = mixed([*bots, rare], [3.0, 1.0, 0.5, 1e-9], 2000)
    games.env.reset(4)
    for _ in range(2):
        play(games)
    rows = np.array([[len(asked.random_bits) for asked in bot.asked] for bot in bots])
    assert (rows.sum(axis=0) == 2 * 2000).all(), "both other seats of every game, once a step"
    for deal in (rows[:, :TURNS], rows[:, TURNS:]):
        assert (deal == deal[:, :1]).all(), "nobody changes during a deal"
        expected = 4000 * np.array([3.0, 1.0, 0.5]) / 4.5
        assert (np.abs(deal[:, 0] - expected) < 4 * np.sqrt(expected)).all()
    assert (rows[:, 0] != rows[:, TURNS]).any()
    assert not rare.asked, "it has no seat, and is not asked about nothing"


def test_the_seats_of_a_game_are_drawn_independently() -> None:
    """Of two bots as likely, half of the tables with two other seats have one of each."""
    games = mixed([Recorder(SHORT) for _ in range(2)], [1.0, 1.0], 1000)
    games.deal(4, 0)
    drawn = games.opponents._drawn
    assert 430 < (drawn[:, 0] != drawn[:, 1]).sum() < 570
    assert abs(drawn.mean() - 0.5) < 0.05


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("random", OpponentShare(1.0, "random")),
        ("2:random", OpponentShare(2.0, "random")),
        ("0.25:policy:a=1/p,temperature=1", OpponentShare(0.25, "policy:a=1/p,temperature=1")),
        ("policy:5", OpponentShare(1.0, "policy:5")),
        ("search:simulations=400", OpponentShare(1.0, "search:simulations=400")),
        ("0:random", "weight of an opponent must be above 0 and at most"),
        ("greedy:2", "a weight stands before the bot: 2:greedy, not greedy:2"),
        ("3:greedy:2", "a weight stands before the bot: 2:greedy, not greedy:2"),
    ],
)
def test_a_share_is_a_weight_and_a_bot(text: str, share: OpponentShare | str) -> None:
    if isinstance(share, str):
        with pytest.raises(ValueError, match=share):
            parse_share(text)
    else:
        assert parse_share(text) == share
