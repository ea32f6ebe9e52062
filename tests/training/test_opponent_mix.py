"""Opponents drawn from a mix: how often, in which seats, and when they act."""

from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, GameConfig
from mindup_env.envs.learner_tables import LearnerTables
from mindup_training.opponent_mix import MixedOpponents, OpponentShare, parse_share
from tests.envs.bots import ByHand, Recorder, choose_all
from tests.envs.playing import SHORT

TURNS = SHORT.num_turns


def tables(bots: list[Any], weights: list[float], num_games: int) -> LearnerTables:
    mix = MixedOpponents(SHORT, bots, weights, num_games)
    return LearnerTables(BatchEnv(SHORT, num_games, illegal_action="raise"), mix, "random")


def play(table: LearnerTables, games: int = 2) -> None:
    seen = table.reset(4)
    for _ in range(games * TURNS):
        seen = table.step(choose_all(seen["action_mask"])).seen


def test_bots_are_drawn_by_their_weights_anew_for_each_deal() -> None:
    bots = [Recorder(SHORT) for _ in range(3)]
    play(tables(bots, [3.0, 1.0, 0.5], 2000))
    rows = np.array([[len(asked.random_bits) for asked in bot.asked] for bot in bots])
    assert (rows.sum(axis=0) == 2 * 2000).all(), "both other seats of every game, once a step"
    for deal in (rows[:, :TURNS], rows[:, TURNS:]):
        assert (deal == deal[:, :1]).all(), "nobody changes during a deal"
        expected = 4000 * np.array([3.0, 1.0, 0.5]) / 4.5
        assert (np.abs(deal[:, 0] - expected) < 4 * np.sqrt(expected)).all()
    assert (rows[:, 0] != rows[:, TURNS]).any()


def test_the_seats_of_a_game_are_drawn_independently() -> None:
    """Of two bots as likely, half of the tables with two other seats have one of each."""
    bots = [Recorder(SHORT) for _ in range(2)]
    table = tables(bots, [1.0, 1.0], 1000)
    play(table, games=1)
    drawn = table._opponents._drawn  # type: ignore[attr-defined]
    assert 430 < (drawn[:, 0] != drawn[:, 1]).sum() < 570
    assert abs(drawn.mean() - 0.5) < 0.05


def test_a_mix_of_one_is_that_bot_at_all_seats() -> None:
    """Two names for the same bot make no difference either: each row is chosen by itself."""
    alone = LearnerTables(BatchEnv(SHORT, 50, illegal_action="raise"), [ByHand(SHORT)], "random")
    others = [
        tables([ByHand(SHORT)], [1.0], 50),
        tables([ByHand(SHORT), ByHand(SHORT)], [1.0, 2.0], 50),
    ]
    for table in others:
        seen, same = alone.reset(4), table.reset(4)
        for _ in range(2 * TURNS):
            assert np.array_equal(seen["observation"], same["observation"])
            actions = choose_all(seen["action_mask"])
            seen, same = alone.step(actions).seen, table.step(actions).seen


def test_a_rare_bot_may_have_no_seat_at_all() -> None:
    bots = [Recorder(SHORT), Recorder(SHORT)]
    play(tables(bots, [1e9, 1e-9], 3))
    assert not bots[1].asked, "and is not asked about nothing"
    assert {len(asked.random_bits) for asked in bots[0].asked} == {6}


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("random", OpponentShare(1.0, "random")),
        ("2:random", OpponentShare(2.0, "random")),
        (
            "0.25:policy:runs/a=1/p,temperature=1",
            OpponentShare(0.25, "policy:runs/a=1/p,temperature=1"),
        ),
        ("policy:5", OpponentShare(1.0, "policy:5")),
        ("process:a -p :80", OpponentShare(1.0, "process:a -p :80")),
        ("search:simulations=400", OpponentShare(1.0, "search:simulations=400")),
    ],
)
def test_a_share_is_a_weight_and_an_agent(text: str, share: OpponentShare) -> None:
    assert parse_share(text) == share


def test_wrong_mixes_are_errors() -> None:
    with pytest.raises(ValueError, match="weight of an opponent must be above 0 and at most"):
        parse_share("0:random")
    for swapped in ("greedy:2", "3:greedy:2"):
        with pytest.raises(ValueError, match="a weight stands before the bot: 2:greedy, not greed"):
            parse_share(swapped)
    with pytest.raises(ValueError, match="unknown agent 'randon'"):
        MixedOpponents.of(GameConfig(), [parse_share("2:randon")], 3)
