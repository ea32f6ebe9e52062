"""Sampled games: what the seat sees of them is what it saw, and they can be played on; refusals."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mindup_env import Game, GameConfig
from mindup_env.batch_env import BatchEnv
from mindup_env.belief import sample
from mindup_env.config import SCORE_CARDS
from mindup_env.engine.state import NOTHING
from mindup_env.observation import layout_of
from mindup_env.observation.seen import Arrays
from tests.envs.expected import look
from tests.game_origins import play_randomly
from tests.rules.strategies import configs

seeds = st.integers(0, 2**32)


@st.composite
def small_configs(draw: st.DrawFn) -> GameConfig:
    players, rounds, hand_size = (draw(st.integers(2, most)) for most in (6, 4, 4))
    num_cards = players * (hand_size + rounds) + draw(st.integers(0, 3))
    order: Any = draw(st.none() | st.permutations(SCORE_CARDS).map(tuple))
    return GameConfig(players, draw(st.integers(0, 5)), rounds, hand_size, num_cards, order)


def position(config: GameConfig, turns: int, seed: int) -> tuple[BatchEnv, Arrays]:
    env, rng = BatchEnv(config, autoreset=False), np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    for _ in range(turns):
        chances = rng.random(seen["action_mask"].shape) * seen["action_mask"]
        seen, *_ = env.step(chances.argmax(axis=2))
    return env, seen


@given(configs() | small_configs(), st.integers(0, 30), seeds)
def test_sampled_games_look_the_same_and_are_legal_to_their_end(
    config: GameConfig, turns: int, seed: int
) -> None:
    rng, seats = np.random.default_rng(seed), range(config.num_players)
    played, viewer = play_randomly(Game(config, seed), turns, rng), seed % config.num_players
    observation, mask = (seen[viewer] for seen in look(played))
    env = BatchEnv(config, 4, autoreset=False)
    env.reset(seed=0)
    given = observation.copy()
    seen = env.set_state(range(4), sample(given, config, 4, rng))
    for each in (given, *seen["observation"][:, 0]):
        assert each.tobytes() == observation.tobytes()
    assert all(each.tobytes() == mask.tobytes() for each in seen["action_mask"][:, 0])
    finished = [
        [scores[(viewer + seat) % config.num_players].total for seat in seats]
        for scores in played.round_scores
    ]
    for g in range(4):
        game = env.game(g)
        game.deal.check(config)
        for _ in range(config.num_turns - len(played.plays) + 1):
            in_play = [*game.row, *(card for seat in seats for card in game.hand(seat))]
            in_play += [card for seat in seats for column in game.tableau(seat) for card in column]
            drawn = config.num_players * (config.hand_size + game.round)
            assert sorted(in_play) == sorted(game.deal.deck[:drawn])
            play_randomly(game, 1, rng)
        totals = [[score.total for score in scores] for scores in game.round_scores]
        assert game.over and game.winners and totals[: len(finished)] == finished


def test_of_the_past_only_the_last_turn_is_told() -> None:
    config = GameConfig(3)
    played, seen = position(config, turns=9, seed=1)
    state = sample(seen["observation"][0, 1], config, 2, np.random.default_rng(2))
    true = played.get_state([0]).games
    assert (state.games.played[:, 8] == np.roll(true.played[0, 8], -1)).all()
    assert (np.delete(state.games.played, 8, axis=1) == NOTHING).all()
    assert (state.games.taken[:, :7] == NOTHING).all()


# What no belief can be formed on


CONFIG = GameConfig(3, num_objectives=2)


def observation(config: GameConfig = CONFIG, turns: int = 9) -> NDArray[np.int8]:
    """Player 1's, by default in round 2 after three turns."""
    _, seen = position(config, turns, seed=1)
    first: NDArray[np.int8] = seen["observation"][0, 1]
    return first.copy()


def refuse(message: str, given: Any, config: Any = CONFIG, **others: Any) -> None:
    others = {"n": 3, "rng": np.random.default_rng(1), **others}
    with pytest.raises(ValueError, match=message):
        sample(given, config, **others)


def test_only_an_observation_of_one_seat_is_read() -> None:
    seen = observation()
    size = layout_of(CONFIG).size
    for wrong in (seen[:-1], seen[None], seen.astype(np.int64), None):
        refuse(rf"observation must be int8 of shape \({size},\) with this config, not", wrong)


def test_other_arguments_are_checked() -> None:
    for n in (0, -1, 1.5, True):
        refuse("n must be ", observation(), n=n)
    refuse("rng must be a Generator, not 7", observation(), rng=7)
    refuse("config must be a GameConfig, such as", observation(), None)


# What is written into the observation of seat 1 in turn 4 of round 2, where the row is 19, 26, 43
# (counted from 0, as here all cards), and hands and tableaux are
#   viewer: 5 21 47 57, and 32 that it drew    7 29 39
#   player 1: 20 38 41 51 56, none drawn left    18 24 30
#   player 2: 8 13 17 42 46, none drawn left     0 44 55
Changes = dict[tuple[str, Any], int]
IMPOSSIBLE: list[Changes] = [
    # out of bounds
    {("turn", ...): 9},
    {("known", (2, 59)): -1},
    # numbers of cards
    {("round", ...): 0},
    {("turn", ...): 8},
    {("turn", ...): 5},
    {("hand", ...): 0},
    {("tableaux", (0, 5)): 1},
    {("known", (0, 5)): 0, ("known", (0, 6)): 1},
    {("row", 43): 0},
    {("objectives", 0): 0},
    {("objectives_used", 12): 1},
    {("known", (0, 32)): 1},
    {("unknown", 2): 1},
    {("known", (1, 20)): 0, ("known", (1, 38)): 0, ("unknown", 1): 2},
    {("tableaux", (1, 18)): 0},
    # what is dealt
    {("score_cards", 4): 3},
    {("objectives", 3): 0, ("objectives", 1): 1},
    {("objectives_used", 5): 0, ("objectives_used", 0): 1},
    {("objectives_used", 5): 0, ("objectives_used", 11): 1},
    # what follows from other parts
    {("row", 26): 3},
    {("row_players", ...): 1},
    {("columns", (2, 0)): 0},
    {("counts", (0, 0)): 1},
    {("running_scores", 2): 8},
    {("round_scores", (1, 1)): 1},
    {("objectives_met", (0, 0)): 1},
]


@pytest.mark.parametrize("changes", IMPOSSIBLE, ids=str)
def test_what_no_game_shows_is_refused(changes: Changes) -> None:
    refuse("^no game shows this observation: ", changed(observation(), changes))


def changed(given: NDArray[np.int8], changes: Changes) -> NDArray[np.int8]:
    views = layout_of(CONFIG).views(given)
    for (part, at), value in changes.items():
        views[part][at] = value
    return given


@pytest.mark.parametrize(
    ("turns", "changes"),
    [
        (0, {("row_players", ...): 1}),
        (0, {("objectives_used", 0): 1}),
        (1, {("known", (1, 2)): 1, ("unknown", 1): 5}),
        (3, {("tableaux", (2, 8)): 0, ("tableaux", (2, 0)): 1}),  # in the viewer's hand too
        (6, {("unknown", 2): 0, ("known", (2, 2)): 1}),
        (21, {("turn", ...): 7}),
        (21, {("unknown", 1): 1}),
        (21, {("round_scores", (1, 2)): 1}),
    ],
)
def test_it_is_refused_at_any_time(turns: int, changes: Changes) -> None:
    refuse("^no game shows this observation: ", changed(observation(turns=turns), changes))


@pytest.mark.parametrize("num_objectives", [0, 3])
def test_objectives_that_stay_are_those_used(num_objectives: int) -> None:
    config = GameConfig(3, num_objectives)
    given = observation(config, turns=9)
    used = layout_of(config).views(given)["objectives_used"]
    used[:] = 1 - used
    refuse("its parts contradict each other", given, config)


@pytest.mark.parametrize("turns", [1, 7])
def test_after_the_first_turn_of_a_round_cards_and_prizes_agree(turns: int) -> None:
    given = observation(turns=turns)
    players = layout_of(CONFIG).views(given)["row_players"]
    players[:] = players[::-1].copy()
    refuse("in the last turn, the lowest card took the lowest prize", given)
