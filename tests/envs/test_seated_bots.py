"""Bots at seats of a batch: what they see, draw and play, in a loop of one's own."""

import re
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

from mindup_env import BatchEnv, SeatedBots, make_agent
from mindup_env.envs.seated_bots import draw_random_bits
from mindup_env.observation import layout_of
from tests.envs.bots import Recorder
from tests.envs.playing import SHORT, assert_even, lowest_legal, started

GAMES = 4


def test_a_bot_sees_its_own_seats_in_order_and_writes_no_other() -> None:
    env, one, other = started(GAMES, 0), Recorder(SHORT), Recorder(SHORT)
    seated, alone = SeatedBots(env, {2: one, 0: one, 1: other}), SeatedBots(env, {2: one})
    anew = np.array([[0, 1, -1], [1, -1, -1], [-1, -1, 0], [0, 0, 5]])
    for turn in range(SHORT.num_turns):
        actions = np.full((GAMES, 3), -7)
        alone.act(actions)
        assert (actions[:, :2] == -7).all() and (actions[:, 2] >= 0).all()
        other_order = np.asfortranarray(actions)
        alone.act(other_order)
        assert np.array_equal(other_order, actions)
        if turn == 2:
            seated.assign(anew)
            actions = np.full((GAMES, 3), -7)
            seated.act(actions)
            assert np.array_equal(actions == -7, np.isin(anew, [-1, 5]))
            for bot, places in ((one, [0, 2]), (other, [1])):
                assert_asked(bot, env, np.isin(anew, places))
            seated.assign(np.arange(3))
        seated.act(actions)
        for bot, seats in ((one, [True, False, True]), (other, [False, True, False])):
            assert_asked(bot, env, np.tile(seats, (GAMES, 1)))
        env.step(actions)


def assert_asked(bot: Recorder, env: BatchEnv, where: npt.NDArray[np.bool_]) -> None:
    for name in ("observation", "action_mask"):
        assert np.array_equal(getattr(bot.asked[-1], name), env.seen[name][where])


def test_a_game_begins_where_it_had_no_turn_and_draws_the_bits_of_its_turn() -> None:
    env, bot, drawn = started(GAMES, 0), Recorder(SHORT), []
    seated, actions = SeatedBots(env, {2: bot, 0: bot}), np.zeros((GAMES, 3), np.int64)
    states = []
    for turn in range(SHORT.num_turns):
        states.append(env.get_state([0]))
        seated.act(actions)
        assert bot.asked[-1].episode_start.tolist() == [turn == 0] * 2 * GAMES
        drawn.append(bot.asked[-1].random_bits)
        env.step(lowest_legal(env.seen))
    for turn, state in enumerate(states):
        env.set_state([3], state)
        seated.act(actions)
        assert bot.asked[-1].random_bits[-2:].tolist() == drawn[turn][:2].tolist()
        assert bot.asked[-1].episode_start.tolist() == [*[True] * 6, *[turn == 0] * 2]


def test_every_seat_of_every_game_draws_other_bits_at_every_turn() -> None:
    env, rows = started(1500, 0), np.arange(1500 * 3)
    drawn = []
    for turn in range(2 * SHORT.num_turns):
        drawn.append(draw_random_bits(env.keys, env.turns, rows, 3).reshape(-1, 3))
        some = draw_random_bits(env.keys[5:7], env.turns[5:7], np.array([4, 0]), 3)
        assert some.tolist() == [drawn[turn][6, 1], drawn[turn][5, 0]], "of seat and game alone"
        env.step(lowest_legal(env.seen))
    bits = np.array(drawn)
    assert len(np.unique(bits)) == bits.size
    share = np.unpackbits(bits.reshape(-1, 1).view(np.uint8), axis=1).mean(axis=0)
    assert share.shape == (64,) and (abs(share - 0.5) < 2 / np.sqrt(bits.size)).all()
    for part in (bits, *np.moveaxis(bits, 2, 0), *bits):  # all; each seat; each turn
        assert_even(random_choices(range(5), part.ravel()), range(5))


def random_choices(legal: Any, bits: npt.NDArray[np.uint64]) -> Any:
    """Of the bot that plays at random."""
    seen = np.zeros((len(bits), layout_of(SHORT).size), np.int8)
    mask = np.zeros((len(bits), SHORT.num_cards), np.int8)
    mask[:, legal] = 1
    return make_agent("random", SHORT).act(seen, mask, np.zeros(len(bits), np.bool_), bits)


@pytest.mark.parametrize("legal", [[0, 59], range(0, 60, 7), range(60)])
def test_every_legal_action_is_as_likely_and_the_bits_alone_decide(legal: Any) -> None:
    bits = np.random.default_rng(1).integers(0, 2**64, 60_000, np.uint64)
    assert_even(random_choices(legal, bits), legal)
    assert len({*random_choices(legal, bits[:1].repeat(len(bits))).tolist()}) == 1


class Returns:
    """Chooses what it is made with."""

    def __init__(self, choices: Any) -> None:
        self.choices = choices

    def act(self, _: Any, action_mask: Any, *__: Any) -> Any:
        action_mask[:] = 1  # makes no card legal
        return self.choices


@pytest.mark.parametrize(
    ("bots", "said"),
    [
        (["greedy"], "bots must be a dict, not ['greedy']"),
        ({3: "greedy"}, "the seat of a bot must be 0 to 2, not 3"),
        ({"1": "greedy"}, "the seat of a bot must be a whole number, not '1'"),
        ({1: "gredy"}, "unknown agent 'gredy'; did you mean greedy?"),
        (
            {1: Returns(np.zeros(1, np.int64))},
            "act() of bot 'Returns' must be integers of shape (4,), not int64 of shape (1,)",
        ),
        ({1: Returns([0.5] * 4)}, "bot 'Returns' must be integers of shape (4,), not float64"),
        ({1: Returns([60] * 4)}, "bot 'Returns' cannot play card 61 (action 60); the hand has "),
        ({1: Returns([-1] * 4)}, "bot 'Returns' cannot play card 0 (action -1); the hand has "),
        (
            {1: Returns(np.full(4, 2**63, np.uint64))},
            f"cannot play card {2**63 + 1} (action {2**63}); the hand has ",
        ),
        ({1: "tests.envs.test_seated_bots:lowest_of_all"}, "_bots:lowest_of_all' cannot play"),
    ],
)
def test_wrong_bots_and_their_illegal_choices_are_refused_by_name(bots: Any, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        SeatedBots(started(GAMES, 0), bots).act(np.zeros((GAMES, 3), np.int64))


def lowest_of_all(_config: Any) -> Any:
    return Returns([0] * GAMES)


def test_other_games_and_actions_are_refused() -> None:
    with pytest.raises(ValueError, match="env must be a BatchEnv, not"):
        SeatedBots(gymnasium.make("MindUp-v0"), {1: "greedy"})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"reset\(\) deals the first games"):
        SeatedBots(BatchEnv(SHORT, 2), {1: "lowest"}).act(np.zeros((2, 3), np.int64))
    said = r"actions must be (integers of shape \(4, 3\) \(games, players\), not|a ndarray, not)"
    for actions in (np.zeros((GAMES, 2), int), np.zeros((GAMES, 3)), [[0] * 3] * GAMES):
        with pytest.raises(ValueError, match=said):
            SeatedBots(started(GAMES, 0), {}).act(actions)  # type: ignore[arg-type]


def test_a_finished_game_has_no_illegal_choice() -> None:
    env = BatchEnv(SHORT, 2, autoreset=False)
    env.reset(seed=1)
    for _ in range(SHORT.num_turns):
        env.step(env.random_actions())
    SeatedBots(env, {0: Returns([60, 0])}).act(env.random_actions())
